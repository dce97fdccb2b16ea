import { optionError } from '../../option-error.ts';
import { readAddress, type Target } from '../target/target.ts';
import { type CommandOptions, commandProvider } from './command.ts';
import { controlProvider } from './control.ts';
import type { Encoder, Provider } from './provider.ts';

/** Where recorded sessions come from, as a user chooses it. */
export type ProviderChoice =
  | { readonly recordedStream: string }
  | { readonly controlUrl: string }
  | { readonly ingestCommand: Omit<CommandOptions, 'patience' | 'stopSignal'> }
  | { readonly ask: Ask };

/** Shows a text to a person, and resolves when what it asks for is done. */
type Ask = (text: string) => Promise<void>;

/** How long a provider may take, and when it must end. */
interface ProviderLimits {
  /** Milliseconds. */
  readonly patience: number;
  /** Aborted if the run is to end early. */
  readonly stopSignal: AbortSignal;
  /** The same target, for requests that undo something even after that. */
  readonly cleanUpTarget: Target;
  /** Whether nothing may be written, so that the provider can only be a given stream. */
  readonly readOnly: boolean;
}

/**
 * The chosen provider.
 * @throws TypeError for an invalid address, and in a read-only run for a provider that writes.
 */
export function createProvider(
  target: Target,
  choice: ProviderChoice | undefined,
  { patience, stopSignal, cleanUpTarget, readOnly }: ProviderLimits,
): Provider {
  if (readOnly) target.gate.forbidWrites();
  if (choice === undefined) return { name: 'none' };
  if ('recordedStream' in choice) {
    target.gate.protect(choice.recordedStream);
    return { name: 'given', streamId: choice.recordedStream };
  }
  if (readOnly) {
    throw optionError(
      TypeError,
      'readOnly',
      'expected recorded sessions only from a given stream, as going live writes to the target',
    );
  }
  if ('ask' in choice) return manualProvider(choice.ask, stopSignal);
  if ('ingestCommand' in choice) {
    return commandProvider({ ...choice.ingestCommand, patience, stopSignal });
  }
  readAddress('controlUrl', choice.controlUrl);
  return controlProvider(target, choice.controlUrl, cleanUpTarget);
}

/** Goes live with the help of a person. */
export function manualProvider(ask: Ask, stopSignal: AbortSignal): Encoder {
  // A person does one thing at a time, and confirms one request per line of input.
  let before: Promise<unknown> = Promise.resolve();
  const askInTurn = (text: string): Promise<void> => {
    const asked = before.then(() => {
      stopSignal.throwIfAborted();
      return ask(text);
    });
    before = asked.catch(() => {});
    return asked;
  };
  return {
    name: 'manual',
    async broadcast({ id, streamKey }, seconds) {
      await askInTurn(
        `Go live on stream ${JSON.stringify(id)} with the stream key ${JSON.stringify(streamKey ?? 'unknown')} for about ${seconds} seconds, then end the stream`,
      );
      return undefined;
    },
  };
}
