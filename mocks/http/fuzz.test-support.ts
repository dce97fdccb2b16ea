import type { World } from '../service/world-handle.ts';
import { changeState, type StateChange } from './fuzz.states.test-support.ts';

type Header = readonly [name: string, value: string];

/** A request that may be malformed in any way that a `Request` can be. */
export interface RequestPlan {
  readonly method: string;
  /** Path and query, in which STREAM, SESSION and PLAYBACK stand for ids that the world has then. */
  readonly target: string;
  /** Which of those ids. */
  readonly pick: number;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array<ArrayBuffer> | StateChange;
}

/** The key of most requests. */
export const fuzzKey = 'test-fuzz';

/** What lets a request with a body pass. */
export const goodHeaders: readonly [Header, Header] = [
  ['authorization', `Bearer ${fuzzKey}`],
  ['content-type', 'application/json'],
];

/** The request of a plan, in a world as it is now. */
export function toRequest(
  { method, target, pick, headers, body }: RequestPlan,
  world: World,
): Request {
  const bytes = isStateChange(body) ? changeState(world.exportState(), body) : body;
  return new Request(`http://livestream.test${fillIn(target, pick, world)}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(!/^(get|head)$/i.test(method) && bytes.length > 0 && { body: bytes }),
  });
}

function isStateChange(body: RequestPlan['body']): body is StateChange {
  return typeof body === 'object' && 'kind' in body;
}

function fillIn(target: string, pick: number, world: World): string {
  const { streams, sessions } = world.exportState();
  const one = (ids: string[]) => ids[pick % Math.max(1, ids.length)] ?? 'none';
  return target
    .replaceAll('STREAM', () => one(streams.map(({ id }) => id)))
    .replaceAll('SESSION', () => one(sessions.map(({ id }) => id)))
    .replaceAll('PLAYBACK', () => one(streams.map(({ playbackId }) => playbackId)));
}
