import type { JsonObject } from '../target/expectations.ts';
import type { CreatedStream } from '../target/operations.ts';

/** Whatever can go live on the suite's streams. */
export interface Encoder {
  readonly name: 'control' | 'command' | 'manual';
  /**
   * Goes live on a stream for about `seconds` and ends. Resolves to the session where it is told.
   * @throws Blocked when that is not possible, saying why.
   */
  broadcast(stream: CreatedStream, seconds: number): Promise<JsonObject | undefined>;
  /**
   * Goes live on a stream and resolves to what ends it; only where an encoder can be told to stop.
   * @throws Blocked when that is not possible, saying why.
   */
  goLive?(stream: CreatedStream): Promise<() => Promise<void>>;
}

/** Where recorded sessions come from: nowhere, a stream that has one, or an encoder. */
export type Provider =
  | { readonly name: 'none' }
  | { readonly name: 'given'; readonly streamId: string }
  | Encoder;
