import { describe, expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { createMock } from '../mock.ts';
import {
  newStreamKeys,
  readErrors,
  readRequest,
  testKey,
  testRequest,
} from './request.test-support.ts';

/** A demo world that does not change, and ids in it. */
const mock = createMock({ world: 'demo' });
const own = await mock.world(testKey);
const { id: session = '', parentId: live = '' } = liveIn(own.sessions());
const calm = own.streams().find(({ isActive }) => !isActive)?.id;
const { id: foreignSession, parentId: foreign } = liveIn(
  (await mock.world('test-other')).sessions(),
);

function liveIn<One extends { readonly isActive: boolean }>(
  sessions: readonly One[],
): Partial<One> {
  return sessions.find(({ isActive }) => isActive) ?? {};
}

const bearer =
  '401 header authorization: expected "Bearer <API key>" with a key of the form test-… (such as test-demo), got';
const keys = `an object with the keys ${newStreamKeys}`;
const size = '"bitrate":1,"width":1,"height":1';

const credentials = `
[authorization none] GET /api/stream
  ${bearer} nothing
[authorization] GET /api/stream
  ${bearer} nothing
[authorization Basic KEY] GET /api/stream
  ${bearer} a known key after something other than "Bearer"
[authorization Bearer s3cret] GET /api/stream
  ${bearer} an unknown key
`;

const bodies = `
POST /api/stream
  422 body: expected ${keys}, got nothing
POST /api/stream {"name":7,"record":null}
  422 name: expected a string, got 7
  record: expected true or false, got null
POST /api/stream {"name":"a","recrod":true,"fps":1}
  422 body: expected known keys (${newStreamKeys}), got "recrod", "fps"
POST /api/stream {"name":"a","profiles":[{"name":"b",${size},"fps":1},{"name":"c",${size},"fps":"30"}]}
  422 profiles[1].fps: expected a whole number above 0, got "30"
POST /api/stream {"name":"a","profiles":[{"name":"b",${size},"fps":1,"profile":"h264high"}]}
  422 profiles[0].profile: expected one of H264Baseline, H264Main, H264High, H264ConstrainedHigh, got "h264high"
POST /api/stream {"name":"a","profiles":[{"name":"b",${size},"fps":1,"fpsDen":9007199254740993}]}
  422 profiles[0].fpsDen: expected a whole number up to 9007199254740991, got 9007199254740992
POST /_mock/clock {"advance":-1}
  422 advance: expected a number of milliseconds, or a string such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days, got -1
`;

const rules = `
POST /api/stream {"name":"a","profiles":[{"name":"b",${size},"fps":1},{"name":"c",${size},"fps":1},{"name":"b",${size},"fps":1}]}
  400 profiles[2].name: expected a unique name, got "b", the name of profiles[0]
PATCH /api/stream/${live}/record {"record":false}
  400 record: expected a stream that is not live, got stream ${live} with live session ${session}; stop it first
PATCH /api/stream/${session}/record {"record":false}
  400 id: expected a parent stream, got session ${session} of stream ${live}; a session is read-only, so its record value cannot change
DELETE /api/stream/${session}
  400 id: expected a parent stream, got session ${session} of stream ${live}; a session is read-only, so it cannot be deleted
POST /_mock/streams/${calm}/stop
  400 stop: expected a live stream, got stream ${calm}, which is not live
`;

const unknown = `
GET /api/stream/nowhere
  404 id: expected a stream of this API key, got "nowhere"
GET /api/session/${calm}
  404 id: expected a session of this API key, got "${calm}"
GET /api/stream/${session}/sessions
  404 id: expected a parent stream, got session ${session} of stream ${live}
GET /api/stream/${foreign}
  404 id: expected a stream of this API key, got "${foreign}"
GET /api/session/${foreignSession}
  404 id: expected a session of this API key, got "${foreignSession}"
__proto__ /api/stream
  404 path: expected a known route, as /openapi.json lists them below /api/, got "__proto__ /api/stream"
`;

describe.each([
  ['by credential', credentials],
  ['by body', bodies],
  ['by breach of a rule', rules],
  ['what is unknown', unknown],
])('refuses, and changes nothing, %s:', (_, cases) => {
  test.each(casesOf(cases))('%s', async (given, ...told) => {
    const before = JSON.stringify(own.exportState());
    const response = await mock.fetch(readRequest(given));
    const [first, ...others] = await readErrors(response);
    expect([`${response.status} ${first}`, ...others]).toEqual(told);
    expect(told.join()).not.toContain('s3cret');
    expect(JSON.stringify(own.exportState())).toBe(before);
  });
});

test('shows neither the keys of a mock nor the one that was sent', async () => {
  const request = testRequest('GET /api/stream', { authorization: 'Bearer s3cret-2' });
  const response = await createMock({ apiKeys: ['s3cret-1'] }).fetch(request);
  expect(response.status).toBe(401);
  expect(await readErrors(response)).toEqual([
    'header authorization: expected "Bearer <API key>" with one of the keys that this mock was started with, got an unknown key',
  ]);
});

test('names the first of very many errors', async () => {
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1]));
  const profiles = Array.from({ length: 5_000 }, () => ({}));
  const send = async (body: object) =>
    readErrors(await mock.fetch(testRequest('POST /api/stream', { body: JSON.stringify(body) })));
  expect(await send({ name: 1, profiles })).toHaveLength(20);
  expect((await send(keys))[1]).toMatch(/"k8", "k9" and 4990 more$/);
});
