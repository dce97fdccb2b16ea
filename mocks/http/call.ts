import type { PlainResponse } from '../messages/response.ts';
import type { WorldState } from '../service/world.ts';

/** A request that has passed the gates: its key is known and its body fits the schema. */
export interface Call {
  readonly world: WorldState;
  /** Scheme, host and port that the client used; media addresses begin with it. */
  readonly origin: string;
  /** Path and query, for links to further pages. */
  readonly url: URL;
  /** The path's parameter, where it has one. */
  readonly id: string;
  readonly body: unknown;
}

/** What an operation does. */
export type Handler = (call: Call) => PlainResponse | Promise<PlainResponse>;
