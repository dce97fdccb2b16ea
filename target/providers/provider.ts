import { Blocked } from '../requests/failure.ts';
import type { JsonObject } from '../requests/read-response.ts';
import type { Creations } from '../streams/creations.ts';
import type { CreatedStream } from '../streams/stream-requests.ts';

/** How many seconds a session lasts, unless its length matters. */
export const broadcastSeconds = 8;

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

/** The part of a connection that goes live. */
interface LiveConnection {
  readonly provider: Provider;
  readonly readOnly: boolean;
  readonly creations: Creations;
}

/** The encoder of a connection. @throws Blocked without one */
export function encoderOf({ provider, readOnly }: Omit<LiveConnection, 'creations'>): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    readOnly
      ? 'needs a recorded session: add --recorded-stream with the id of a stream that has one'
      : 'needs an encoder: add --control-url, --ingest-command or --manual',
  );
}

/** Goes live, and resolves to a function that ends the session. @throws Blocked if none can be ended at any time */
export async function goLive(
  connection: LiveConnection,
  stream: CreatedStream,
): Promise<() => Promise<void>> {
  const encoder = encoderOf(connection);
  connection.creations.live.add(stream.id);
  const end = await encoder.goLive?.(stream);
  if (end !== undefined) return end;
  throw new Blocked('needs a session that can be ended at any time: add --control-url');
}
