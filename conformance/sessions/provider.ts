import type { JsonObject } from '../target/expectations.ts';
import type { CreatedStream } from '../target/operations.ts';

/** Goes live on the suite's streams. */
export interface Encoder {
  readonly name: 'control' | 'command' | 'manual';
  /**
   * Goes live on a stream for about `seconds` and ends. Resolves to the session, if it is known.
   * @throws Blocked if that is not possible.
   */
  broadcast(stream: CreatedStream, seconds: number): Promise<JsonObject | undefined>;
  /**
   * Goes live on a stream, and resolves to a function that ends the session. Absent if the encoder
   * cannot be stopped at will.
   * @throws Blocked if that is not possible.
   */
  goLive?(stream: CreatedStream): Promise<() => Promise<void>>;
}

/** Where recorded sessions come from: nowhere, a stream that has one, or an encoder. */
export type Provider =
  | { readonly name: 'none' }
  | { readonly name: 'given'; readonly streamId: string }
  | Encoder;

/** Whether a provider goes live on the suite's streams. */
export function isEncoder(provider: Provider): provider is Encoder {
  return provider.name !== 'none' && provider.name !== 'given';
}
