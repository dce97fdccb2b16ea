import type { Dialect } from '../../interface/dialect.ts';
import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { Behaviours } from '../../interface/silent.ts';
import type { WorldState } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { LargeBodies } from './bodies/large-bodies.ts';
import type { OperationName } from './routes.ts';

/** What the HTTP layer needs of the mock. */
export interface AppSource {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** The accepted keys; `undefined` when any key of the form `test-…` is accepted. */
  readonly apiKeys: readonly string[] | undefined;
  readonly worlds: Worlds;
  /** The key whose journal keeps the requests without a key. */
  readonly homeKey: string;
  /** The dialect that was given. */
  readonly dialect: Dialect | undefined;
  /** What clients meet where the interface is silent. */
  readonly behaviours: Behaviours;
  /** Most streams and sessions that the mock holds. */
  readonly mostRecords: number;
}

/** The HTTP layer of one mock. */
export interface App extends AppSource {
  readonly largeBodies: LargeBodies;
}

/** A request, and what becomes known about it while it is answered. */
export interface RequestContext {
  readonly request: Request;
  readonly url: URL;
  /** The world of its API key, or of the media that it asks for. */
  world?: WorldState;
  operation?: OperationName | MediaRouteName;
  body?: Uint8Array;
  /** When its world was found: milliseconds since 1970 on that world's clock. */
  startedAt?: number;
  /** Id of the fault that matched it. */
  fault?: number;
}

/** Notes which world a request is about. */
export function enterWorld(context: RequestContext, world: WorldState): void {
  context.world = world;
  context.startedAt = world.clock.now();
}

/** Makes a function that notes the fault that matched a request. */
export function noteFault(context: RequestContext): (id: number) => void {
  return (id) => {
    context.fault = id;
  };
}
