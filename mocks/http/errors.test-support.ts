import { expect } from 'vitest';
import type { Session } from '../../interface/types.ts';
import { createMock, type Mock } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import { type RequestParts, readErrors, testKey, testRequest } from './request.test-support.ts';

/** A demo world in which nothing changes, and ids in it. */
export const mock: Mock = createMock({ world: 'demo' });
const own: World = await mock.world(testKey);

/** A live session. */
export const session: string = liveSession(own).id;
/** Its stream. */
export const live: string = liveSession(own).parentId;
/** A stream that is not live. */
export const calm: string = own.streams().find(({ isActive }) => !isActive)?.id ?? 'all are live';
const foreign = liveSession(await mock.world('test-other'));
/** A live stream of another key. */
export const foreignLive: string = foreign.parentId;

type LiveSession = Pick<Session, 'id' | 'parentId' | 'playbackId'>;

function liveSession(world: World): LiveSession {
  const none = { id: 'none', parentId: 'none', playbackId: 'none' };
  return world.sessions().find(({ isActive }) => isActive) ?? none;
}

/** A request that is refused, and with what. */
export type Refusal = [
  what: string,
  line: string,
  parts: RequestParts,
  status: number,
  ...texts: string[],
];

/** Tests that a request is refused exactly so, changes nothing and is not told any key. */
export async function refuses([, line, parts, status, ...texts]: Refusal): Promise<void> {
  const before = JSON.stringify(own.exportState());
  const response = await mock.fetch(testRequest(line, parts));
  expect(response.status).toBe(status);
  const errors = await readErrors(response);
  expect(errors).toEqual(texts);
  expect(errors.join()).not.toContain('s3cret');
  expect(JSON.stringify(own.exportState())).toBe(before);
}

/** A JSON body. */
export function body(value: unknown): RequestParts {
  return { body: JSON.stringify(value) };
}

/** The body of a new stream, its profiles good but for the changes. */
export function withProfiles(...changes: object[]): RequestParts {
  const good = { bitrate: 1, fps: 30, width: 1, height: 1 };
  const profiles = changes.map((change, index) => ({ name: `p${index}`, ...good, ...change }));
  return body({ name: 'a', profiles });
}

const bearer = '"Bearer <API key>" with a key of the form test-… (such as test-demo)';

/** The refusal of a request without a key, with one of another form, with an unknown one. */
export const noKey: string = `header authorization: expected ${bearer}, got nothing`;
export const badForm: string = `header authorization: expected ${bearer}, got a value of another form`;
export const badKey: string = `header authorization: expected ${bearer}, got a key that is not known here`;
/** The refusal of the stream `nowhere`. */
export const unknownId: string = 'id: expected a stream of this API key, got "nowhere"';
