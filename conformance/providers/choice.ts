import { readAddress, type Target } from '../target/target.ts';
import { type CommandOptions, commandProvider } from './command.ts';
import { controlProvider } from './control.ts';
import { manualProvider } from './manual.ts';
import type { Provider } from './provider.ts';

/** Where recorded sessions come from, as a user chooses it. */
export type ProviderChoice =
  | { readonly recordedStream: string }
  | { readonly controlUrl: string }
  | { readonly ingestCommand: Omit<CommandOptions, 'patience' | 'stop'> }
  | { readonly ask: (text: string) => Promise<void> };

/** How long a provider may take, and when it must end. */
interface ProviderLimits {
  /** Milliseconds. */
  readonly patience: number;
  /** Aborted if the run is to end early. */
  readonly stop: AbortSignal;
}

/** The chosen provider. @throws TypeError for an invalid address */
export function createProvider(
  target: Target,
  choice: ProviderChoice | undefined,
  { patience, stop }: ProviderLimits,
): Provider {
  if (choice === undefined) return { name: 'none' };
  if ('recordedStream' in choice) return { name: 'given', streamId: choice.recordedStream };
  if ('ingestCommand' in choice)
    return commandProvider({ ...choice.ingestCommand, patience, stop });
  if ('ask' in choice) return manualProvider(choice.ask, stop);
  readAddress('controlUrl', choice.controlUrl);
  return controlProvider(target, choice.controlUrl);
}
