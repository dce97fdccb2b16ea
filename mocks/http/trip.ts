import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { WorldState } from '../service/world.ts';
import type { Worlds } from '../stores/open-worlds.ts';
import type { LargeBodies } from './bodies/large-bodies.ts';
import { bodyLimit, readBytes, readJson } from './bodies/read-body.ts';
import type { OperationName } from './operations.ts';

/** What the HTTP layer needs of the mock. */
export interface AppSource {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** Exactly the accepted keys; `undefined` for any key of the form `test-…`. */
  readonly apiKeys: readonly string[] | undefined;
  readonly worlds: Worlds;
  /** Whose journal keeps the requests that name no key. */
  readonly homeKey: string;
  /** Most streams and sessions that the mock holds. */
  readonly mostRecords: number;
}

/** What answering takes. */
export interface App extends AppSource {
  readonly largeBodies: LargeBodies;
}

/** One request on its way, and what becomes known of it. */
export interface Trip {
  readonly request: Request;
  /** The request's address, taken apart once. */
  readonly url: URL;
  /** Whose world it concerns; the mock's own where it does not say. */
  world?: WorldState;
  operation?: OperationName | MediaRouteName;
  body?: Uint8Array;
  /** When its world was found, on that world's clock. */
  startedAt?: number;
  /** The fault that has met it. */
  fault?: number;
}

/** Notes whose world a request concerns. */
export function enter(trip: Trip, world: WorldState): void {
  trip.world = world;
  trip.startedAt = world.clock.now();
}

/** What notes the fault that has met a request. */
export function noteFault(trip: Trip): (id: number) => void {
  return (id) => {
    trip.fault = id;
  };
}

/** Bodies of other methods are passed over. */
export function hasBody({ method }: Request): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT';
}

/**
 * The JSON in the body of a request, which the trip has from then on.
 * @throws Problem 413, 400 or 415 for a body that cannot be taken.
 */
export async function readBody(trip: Trip): Promise<unknown> {
  const { request } = trip;
  const bytes = await readBytes(request, bodyLimit);
  if (bytes.length > 0) trip.body = bytes;
  return readJson(request.headers, bytes);
}
