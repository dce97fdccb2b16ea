import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StaticRoute } from '../../interface/dialect.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import { clientOf } from './dialect.test-support.ts';
import {
  fuzzKey,
  malformedPlans,
  type RequestPlan,
  toRequest,
  wellFormedPlans,
} from './fuzz.test-support.ts';

test('the value of a dropped field is never wrong', async () => {
  const dropped = {
    'field:record:given': 'dropped',
    'field:profiles[].gop:given': 'dropped',
  } as const;
  const { send } = await clientOf({ refusals: { '*': { '*': 412 }, createStream: dropped } });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
  const profiles = [{ ...profile, gop: null }];
  const { status, json } = await send('POST /api/stream', { name: 'a', record: 'yes', profiles });
  expect([status, json]).toMatchObject([201, { record: false, profiles: [profile] }]);
});

test.each([
  ['first', 1],
  ['all', 2],
] as const)('of several errors the orders tell %s', async (told, errors) => {
  const { send } = await clientOf({ orders: { told } });
  const { json } = await send('POST /api/stream', { name: 5, record: 5 });
  expect(json['errors']).toHaveLength(errors);
});

const routes: readonly StaticRoute[] = [
  { method: 'GET', path: '/user/me', status: 200, json: { email: 'text' } },
  { method: 'GET', path: '/asset/{id}', status: 200, type: 'application/vnd.a+json', json: [] },
  { method: 'POST', path: '/webhook', status: 201, text: 'made' },
  { method: 'GET', path: '/stream', status: 500 },
];

test('a dialect has static answers at paths that the interface lacks, and the journal marks them', async () => {
  const { send, world } = await clientOf({ routes });
  const me = await send('GET /api/user/me');
  expect([me.status, me.json]).toEqual([200, { email: 'text' }]);
  const asset = await send('GET /api/asset/17');
  expect([asset.text, asset.headers.get('content-type')]).toEqual(['[]', 'application/vnd.a+json']);
  expect((await send('POST /api/webhook', {})).text).toBe('made');
  expect((await send('GET /api/asset/17/more')).status).toBe(404);
  expect(world.requests().map((exchange) => exchange.static)).toEqual([
    true,
    true,
    true,
    undefined,
  ]);
});

test('the interface comes first, and a key is asked for as elsewhere', async () => {
  const { send } = await clientOf({ routes });
  expect((await send('GET /api/stream')).status).toBe(200);
  expect((await send('GET /api/user/me', undefined, { authorization: null })).status).toBe(401);
  expect((await send('GET /api/user/me', undefined, { authorization: 'Basic x' })).status).toBe(
    401,
  );
});

test.each([
  [{ method: 'GET', path: '/../secret', status: 200 }, 'a path such as /user/{id}'],
  [
    { method: 'GET', path: '/a', status: 200, headers: { 'set-cookie': 'a=b' } },
    'an object with method',
  ],
  [{ method: 'GET', path: '/a', status: 99 }, 'status from 200 to 599'],
])('an invalid route is refused: %j', async (route, message) => {
  await expect(clientOf({ routes: [route as never] })).rejects.toThrow(message);
});

// The bodies of a dialect are read by the table of fields, and without one by schemas: both say the same.

/** What a client sees of a response; how a refusal is worded may differ. */
async function seen(mock: Mock, request: Request): Promise<unknown> {
  const response = await mock.fetch(request);
  const text = await response.text();
  // Without a dialect the mock names what Livepeer has and it has not.
  if (response.status === 501) return 404;
  if (response.status >= 400) return response.status;
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
}

async function agree(plans: readonly RequestPlan[]): Promise<void> {
  const options = { world: 'demo', now: () => Date.UTC(2026, 0, 1) } as const;
  const usual = createMock(options);
  const other = createMock({ ...options, dialect: { dialect: 2 } });
  const world = await usual.world(fuzzKey);
  for (const plan of plans) {
    const one = toRequest(plan, world);
    const two = toRequest(plan, world);
    // Under a dialect only the paths of the interface are met.
    if (!new URL(one.url).pathname.startsWith('/api')) continue;
    const about = JSON.stringify(plan).slice(0, 300);
    expect([about, await seen(other, two)]).toEqual([about, await seen(usual, one)]);
  }
}

test('a dialect that says nothing changes nothing, whatever a client sends', async () => {
  const plans = fc.array(fc.oneof(malformedPlans, wellFormedPlans), {
    minLength: 40,
    maxLength: 40,
  });
  await fc.assert(fc.asyncProperty(plans, agree), {
    seed: 20_260_101,
    numRuns: byNight(40, 10),
    endOnFailure: true,
  });
});

test('the profiles of a stream without any may have the frame rate of the source', async () => {
  const omitted = [{ name: '240p0', bitrate: 250_000, fps: 0, width: 426, height: 240 }];
  const { send } = await clientOf({ behaviours: { 'profiles.default': { omitted } } });
  const { json } = await send('POST /api/stream', { name: 'a' });
  expect(json['profiles']).toEqual(omitted);
});

test.each(['PATCH', 'DELETE'])(
  'a %s with an id that cannot be decoded is answered as a GET with it',
  async (method) => {
    const { send } = await clientOf({ refusals: { retrieveStream: { 'id:percent': 400 } } });
    const body = method === 'PATCH' ? { name: 'a' } : undefined;
    expect((await send(`${method} /api/stream/%zz`, body)).status).toBe(400);
  },
);

test.each([{}, { livestreamMockUnknown: 1 }])(
  'an update with %j, without a field that is taken, is refused where a dialect says so',
  async (body) => {
    const refused = { 'body:empty': 418, 'body:unknown': 418 } as const;
    const updateStream = { 'field:unknown:given': 'dropped', ...refused } as const;
    const { send } = await clientOf({ refusals: { updateStream } });
    const { json } = await send('POST /api/stream', { name: 'Harbour' });
    const path = `PATCH /api/stream/${json['id']}`;
    expect((await send(path, body)).status).toBe(418);
    expect((await send(path, { name: 'Garden' })).status).not.toBe(418);
  },
);

test('an update with profiles of null leaves them where a dialect drops it', async () => {
  const updateStream = { 'field:profiles:null': 'dropped', 'body:empty': 418 } as const;
  const { send } = await clientOf({ refusals: { updateStream } });
  const { json } = await send('POST /api/stream', { name: 'Harbour' });
  expect((await send(`PATCH /api/stream/${json['id']}`, { profiles: null })).status).not.toBe(418);
  const { json: after } = await send(`GET /api/stream/${json['id']}`);
  expect(after['profiles']).toEqual(json['profiles']);
});

test.each([
  ['body:null', 'null'],
  ['body:scalar', '5'],
  ['body:array', '[]'],
  ['body:malformed', '{name: 1}'],
  ['body:cut', '{"name":'],
])('an update that is accepted with %s is not refused as an empty one', async (error, text) => {
  const updateStream = { [error]: 'accepted', 'body:empty': 418 } as const;
  const { send } = await clientOf({ refusals: { updateStream } });
  const { json } = await send('POST /api/stream', { name: 'Harbour' });
  const path = `PATCH /api/stream/${json['id']}`;
  expect((await send(path, undefined, { body: text })).status).not.toBe(418);
});
