import { optionError } from '../../text/option-error.ts';
import { readAddress, type Target } from '../requests/target.ts';
import { type CommandOptions, commandProvider } from './command-provider.ts';
import { controlProvider } from './control-provider.ts';
import { type Ask, manualProvider } from './manual-provider.ts';
import type { Provider } from './provider.ts';

/** Where recorded sessions come from, as a user chooses it. */
export type ProviderChoice =
  | { readonly recordedStream: string }
  | { readonly controlUrl: string }
  | { readonly ingestCommand: Omit<CommandOptions, 'patience' | 'stopSignal'> }
  | { readonly ask: Ask };

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
