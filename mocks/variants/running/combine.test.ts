import { expect, test } from 'vitest';
import { createMock } from '../../mock.ts';
import { variantNames } from '../families.ts';
import { readVariants, sharedFamilies } from '../read-variants.ts';
import { variants } from '../variants.ts';
import { combineVariants } from './combine.ts';

test('variants come in the order of the table, each once', () => {
  expect(readVariants('keys-more+oldest-first+keys-more')).toEqual(['oldest-first', 'keys-more']);
});

test.each([
  ['oldest', 'variant: expected the name of a variant, perhaps oldest-first, got "oldest"'],
  ['toString', 'variant: expected the name of a variant, got "toString"'],
  [
    'oldest-first+keys-more+last-seen-first',
    'variant: expected variants that do not contradict each other, got oldest-first and last-seen-first, which are both about the order of lists',
  ],
])('%s is refused when a mock is made', (variant, message) => {
  const make = () => createMock({ variant: variant as 'oldest-first' });
  expect(make).toThrow(RangeError);
  expect(make).toThrow(message);
});

test('dialects of variants that do not contradict each other say nothing about the same', () => {
  for (const [index, left] of variantNames.entries()) {
    for (const right of variantNames.slice(index + 1)) {
      if (sharedFamilies(left, right).length > 0) continue;
      const dialect = combineVariants([left, right]).addTo(undefined);
      expect([left, right, dialect]).toEqual([
        left,
        right,
        combineVariants([right, left]).addTo(undefined),
      ]);
    }
  }
});

test('a variant changes the dialect of a mock only in what it is about', () => {
  const { addTo } = combineVariants(['oldest-first']);
  const order = { listStreams: 'last-seen-first' } as const;
  expect(
    addTo({
      dialect: 3,
      name: 'Acme',
      errors: { createStream: { key: { none: 403 } } },
      behaviours: { 'list.order': order, 'record.default': true },
    }),
  ).toEqual({
    dialect: 3,
    name: 'Acme',
    errors: { createStream: { key: { none: 403 } } },
    behaviours: {
      'list.order': variants['oldest-first'].dialect?.behaviours?.['list.order'],
      'record.default': true,
    },
  });
});

test('of two variants together, each counts the responses that would be different without it', async () => {
  const mock = createMock({ variant: 'oldest-first+json-without-charset' });
  const world = await mock.world();
  const list = async () => {
    const headers = { authorization: `Bearer ${mock.apiKey}` };
    const response = await mock.fetch(new Request('http://mock.test/api/stream', { headers }));
    return [response.headers.get('content-type'), await response.json()];
  };
  await world.createStream({ name: 'Harbour camera' });
  await list();
  world.clock.advance('1h');
  await world.createStream({ name: 'Town council' });
  expect(await list()).toMatchObject([
    'application/json',
    [{ name: 'Harbour camera' }, { name: 'Town council' }],
  ]);
  expect(await mock.evidence()).toEqual({
    variant: 'oldest-first+json-without-charset',
    compared: 2,
    changed: { 'oldest-first': 1, 'json-without-charset': 2 },
  });
});

test.each([
  [undefined, ['waiting', 'ready']],
  ['1s', ['ready', 'ready']],
])(
  'with the recordingDelay %s, a recording that takes 30 s is %j after a second and a minute',
  async (recordingDelay, expected) => {
    const variant = 'recording-takes-30s';
    const mock = createMock({ variant, ...(recordingDelay !== undefined && { recordingDelay }) });
    const world = await mock.world();
    const { id } = await world.createStream({ name: 'Harbour camera', record: true });
    await world.start(id, { duration: 10 });
    const statuses = ['1s', '1m'].map((time) => {
      world.clock.advance(time);
      return world.sessions(id)[0]?.recordingStatus;
    });
    expect(statuses).toEqual(expected);
  },
);

test('testers and the control API see no variant', async () => {
  const mock = createMock({ variant: 'keys-more+clock-ahead', world: 'demo' });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://mock.test${path}`, {
      headers: { authorization: `Bearer ${mock.apiKey}`, ...headers },
    });
    return (await mock.fetch(request)).text();
  };
  expect(await ask('/api/stream')).toContain('"more"');
  expect(await ask('/api/stream', { 'x-livestream-mock-tester': '1' })).not.toContain('"more"');
  expect(await ask('/_mock/state')).not.toContain('"more"');
});

test('the journal has what the client got', async () => {
  const mock = createMock({ variant: 'keys-more', world: 'demo' });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  await mock.fetch(new Request('http://mock.test/api/stream', { headers }));
  const [exchange] = (await mock.world()).requests();
  expect(exchange).toMatchObject({ operation: 'listStreams', response: { status: 200 } });
  expect(exchange?.response.body).toContain('"more"');
});

test('the journal names the operation of a request that a variant responds to itself', async () => {
  const mock = createMock({ variant: 'too-many-requests-seconds' });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  for (const _ of Array(7)) {
    await mock.fetch(new Request('http://mock.test/api/stream', { headers }));
  }
  const last = (await mock.world()).requests().at(-1);
  expect(last).toMatchObject({ operation: 'listStreams', response: { status: 429 } });
});

test('a response of a variant itself is in the journal of the key that was sent', async () => {
  const mock = createMock({ variant: 'too-many-requests-seconds' });
  const headers = { authorization: 'Bearer test-other' };
  for (const _ of Array(7)) {
    await mock.fetch(new Request('http://mock.test/api/stream', { headers }));
  }
  const statuses = (await mock.world('test-other'))
    .requests()
    .map(({ response }) => response.status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
  expect((await mock.world()).requests()).toEqual([]);
});

test('a redirected request for media is in the journal of the key that the media belongs to', async () => {
  const mock = createMock({ variant: 'media-redirected', recordingDelay: 0 });
  const world = await mock.world('test-other');
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  await world.start(id, { duration: 10 });
  const list = `http://mock.test/api/stream/${id}/sessions`;
  const headers = { authorization: 'Bearer test-other' };
  const [session] = await (await mock.fetch(new Request(list, { headers }))).json();
  await mock.fetch(new Request(session.mp4URL));
  expect(world.requests().slice(1)).toMatchObject([
    { operation: 'recordingMp4', response: { status: 308 } },
  ]);
  expect((await mock.world()).requests()).toEqual([]);
});

test('others in a crowded account are seen by clients alone', async () => {
  const mock = createMock({ variant: 'crowded-account' });
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'Harbour camera' });
  const list = async (path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://mock.test/api${path}`, {
      headers: { authorization: `Bearer ${mock.apiKey}`, ...headers },
    });
    return (await mock.fetch(request)).json();
  };
  const all = await list('/stream?limit=1000');
  expect(all).toHaveLength(201);
  expect(all[0].id).toBe(id);
  const sessions = await list('/session?limit=1000');
  expect(sessions).toContainEqual(expect.objectContaining({ recordingStatus: 'failed' }));
  expect(await list('/stream', { 'x-livestream-mock-tester': '1' })).toHaveLength(1);
  expect(world.streams()).toHaveLength(1);
  expect(world.sessions()).toEqual([]);
  expect((await mock.evidence()).changed).toEqual({ 'crowded-account': 2 });
  await world.reset();
  expect(world.streams()).toEqual([]);
  expect(await list('/stream?limit=1000')).toHaveLength(200);
});
