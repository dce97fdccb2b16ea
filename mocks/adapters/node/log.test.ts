import { expect, onTestFinished, test } from 'vitest';
import { createMock, reportTo } from '../../mock.ts';
import type { MockOptions } from '../../mock-options.ts';
import { memoryStore } from '../../stores/memory-store.test-support.ts';
import { heldElsewhere } from '../../stores/store.ts';
import { startServer } from './http-server.ts';
import { createLog, type LogForm } from './log.ts';

const noon = Date.UTC(2026, 10, 5, 12);

/** Serves a mock with a log, whose clock the test moves. */
async function serveLogged(form: LogForm | undefined, options: MockOptions = {}) {
  const lines: string[] = [];
  const clock = { time: noon };
  const log = createLog((line) => lines.push(line), {
    form,
    apiKeys: options.apiKeys,
    now: () => clock.time,
  });
  const mock = createMock(options);
  reportTo(mock, log.operator);
  const server = await startServer(mock, { log });
  onTestFinished(() => server.close());
  const send = async (path: string, apiKey = mock.apiKey, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(server.origin + path, { ...init, headers }).catch(() => undefined);
    return response?.status;
  };
  return { mock, clock, lines, send };
}

/** The lines of a log as JSON, without their durations, which must be plausible. */
function withoutDurations(lines: readonly string[]): unknown[] {
  return lines.map((line) => {
    const { milliseconds, ...rest } = JSON.parse(line);
    expect(milliseconds).toBeGreaterThan(0);
    expect(milliseconds).toBeLessThan(10_000);
    return rest;
  });
}

test('--log json writes a line of JSON for each request', async () => {
  const { send, lines } = await serveLogged('json');
  await send('/api/stream?limit=5');
  await send('/api/stream', 'test-other', { method: 'POST', body: '{"name": "Harbour camera"}' });
  const time = '2026-11-05T12:00:00.000Z';
  const common = { time, path: '/api/stream' };
  expect(withoutDurations(lines)).toEqual([
    { ...common, method: 'GET', status: 200, world: 'test-demo' },
    { ...common, method: 'POST', status: 201, world: 'test-other' },
  ]);
});

test('a line names the fault that matched, and a connection that it broke has status 0', async () => {
  const { send, lines } = await serveLogged('json', { faults: [{ effect: 'reset' }] });
  await send('/api/stream');
  expect(withoutDurations(lines)[0]).toMatchObject({ status: 0, fault: 1 });
});

test('requests that do not reach the mock have a line, too', async () => {
  const { send, lines } = await serveLogged('json');
  await send('/webrtc/hush-hush-hush', undefined, { method: 'POST' });
  await send('/nowhere');
  expect(withoutDurations(lines)).toMatchObject([
    { path: '/webrtc/[stream key]', status: 404 },
    { path: '/nowhere', status: 404 },
  ]);
});

test('--log text writes a line for people', async () => {
  const { send, lines } = await serveLogged('text', { faults: [{ effect: 'reset' }] });
  await send('/_mock/clock');
  await send('/api/stream');
  expect(lines[0]).toMatch(/^12:00:00\.000 GET {4}200 +\d+\.\d ms \/_mock\/clock test-demo\n$/);
  expect(lines[1]).toMatch(
    /^12:00:00\.000 GET {4}cut +\d+\.\d ms \/api\/stream test-demo fault 1\n$/,
  );
});

test('without --log, requests have no lines', async () => {
  const { send, lines } = await serveLogged(undefined);
  await send('/api/stream');
  expect(lines).toEqual([]);
});

test('keys that were given are in no line, which names the world by a digest', async () => {
  const apiKeys = ['key-s3cret'];
  const { send, lines } = await serveLogged('json', { apiKeys });
  await send('/api/key-s3cret', 'key-s3cret');
  await send('/api/stream', 'key-s3cret');
  await send('/api/stream', 'key-other');
  expect(lines.join('')).not.toMatch(/key-(s3cret|other)/);
  expect(JSON.parse(lines[1] ?? '').world).toMatch(/^[0-9a-f]{12}$/);
});

test('a path with control characters is one line', async () => {
  const { send, lines } = await serveLogged('text');
  await send('/api/%1b%5b2J%0a%0dstream');
  expect(lines).toEqual([expect.stringMatching(/ \/api\/\\u001b\[2J stream test-demo\n$/)]);
});

test('a refused key is reported at most once a minute, and how many there were', async () => {
  const { send, clock, lines } = await serveLogged(undefined, { apiKeys: ['key-s3cret'] });
  for (const _ of [1, 2, 3]) await send('/api/stream', 'wrong-key');
  clock.time += 59_999;
  await send('/api/stream', 'wrong-key');
  clock.time += 1;
  await send('/api/stream', 'wrong-key');
  const line = 'livestream-mock: a request was refused for its key: answered 401';
  expect(lines).toEqual([`${line}\n`, `${line} (and 3 more since the last such line)\n`]);
});

test('a refused key is reported with the status of the dialect, also if it is known', async () => {
  const errors = { everyOperation: { key: { bare: 403 } } } as const;
  const dialect = { dialect: 3, errors } as const;
  const { mock, lines } = await serveLogged(undefined, { dialect });
  const headers = { authorization: 'test-s3cret' };
  await mock.fetch(new Request('http://livestream.test/api/stream', { headers }));
  expect(lines).toEqual(['livestream-mock: a request was refused for its key: answered 403\n']);
});

test('each limit that is reached is reported', async () => {
  const { send, lines } = await serveLogged('json', { maxRecords: 1 });
  const create = () => send('/api/stream', undefined, { method: 'POST', body: '{"name": "a"}' });
  await create();
  expect([await create(), await create()]).toEqual([429, 429]);
  const notices = lines.map((line) => JSON.parse(line)).filter(({ notice }) => notice);
  expect(notices).toEqual([
    {
      time: '2026-11-05T12:00:00.000Z',
      notice: 'limit',
      message: expect.stringMatching(/^records: expected at most 1 streams and sessions/),
    },
  ]);
});

test('a change that is not kept is reported with its world, and so is the next that is', async () => {
  const store = memoryStore();
  let isFull = false;
  const append: typeof store.append = async (...change) => {
    if (isFull) throw new Error('the disk is full');
    return store.append(...change);
  };
  const { mock, lines } = await serveLogged(undefined, { store: { ...store, append } });
  const world = await mock.world();
  isFull = true;
  for (const name of ['a', 'b']) await world.createStream({ name }).catch(() => {});
  isFull = false;
  await world.createStream({ name: 'c' });
  expect(lines).toEqual([
    'livestream-mock: world test-demo: store: could not save the change ("the disk is full"); the change is in effect and will be saved with the next one\n',
    'livestream-mock: world test-demo: every change is saved again\n',
  ]);
});

test('a world that another process takes is reported', async () => {
  let isHeld = true;
  const store = { ...memoryStore(), hold: () => isHeld };
  const open: typeof store.open = async (name) => {
    if (!isHeld) throw heldElsewhere(1);
    return store.open(name);
  };
  const { send, lines } = await serveLogged(undefined, { store: { ...store, open } });
  await send('/api/stream');
  isHeld = false;
  expect(await send('/api/stream')).toBe(503);
  expect(lines).toEqual([
    'livestream-mock: world test-demo: another process that shares the store has taken the world\n',
  ]);
});
