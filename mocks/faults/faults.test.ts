import { describe, expect, test } from 'vitest';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import type { Fault, FaultsState } from './fault.ts';

const unavailable: Fault = { effect: 'status', status: 503 };

/** The statuses of `count` requests for the list of streams, one after another. */
async function statuses(mock: Mock, count: number, key = testKey): Promise<number[]> {
  const received: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const request = testRequest('GET /api/stream', { authorization: `Bearer ${key}` });
    received.push((await mock.fetch(request)).status);
  }
  return received;
}

describe('a fault matches', () => {
  test('as many requests as `times` says', async () => {
    const mock = createMock();
    const world = await mock.world(testKey);
    world.addFault({ ...unavailable, times: 2 });
    expect(await statuses(mock, 4)).toEqual([503, 503, 200, 200]);
    expect(world.faults).toEqual([{ id: 1, fault: { ...unavailable, times: 2 }, matched: 2 }]);
  });

  test('only its operation, and only the stream with its id', async () => {
    const mock = createMock();
    const world = await mock.world(testKey);
    const faulty = await world.createStream({ name: 'faulty' });
    const untouched = await world.createStream({ name: 'untouched' });
    world.addFault({ ...unavailable, operation: 'retrieveStream', id: faulty.id });
    const paths = ['/api/stream', `/api/stream/${faulty.id}`, `/api/stream/${untouched.id}`];
    const requests = paths.map((path) => mock.fetch(testRequest(`GET ${path}`)));
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  test('a HEAD, unless its effect needs a body', async () => {
    const truncate: Fault = { effect: 'truncate', times: 1 };
    const faults: Fault[] = [truncate, { ...unavailable, times: 1 }, { effect: 'reset' }];
    const mock = createMock({ faults });
    const received: number[] = [];
    for (const method of ['HEAD', 'GET', 'HEAD']) {
      const response = await mock.fetch(testRequest(`${method} /api/stream`));
      received.push(response.status);
      if (method === 'HEAD') expect(await response.text()).toBe('');
    }
    expect(received).toEqual([503, 200, 0]);
  });

  test('no request to the control API, and none without a key', async () => {
    const mock = createMock();
    (await mock.world(testKey)).addFault(unavailable);
    expect((await mock.fetch(testRequest('GET /_mock/clock'))).status).toBe(200);
    const keyless = await mock.fetch(testRequest('GET /api/stream', { authorization: null }));
    expect(keyless.status).toBe(401);
  });
});

test('the first fault that matches a request has its effect', async () => {
  const first: Fault = { effect: 'status', status: 429, times: 1 };
  const mock = createMock({ faults: [first, unavailable, unavailable] });
  const world = await mock.world(testKey);
  expect(await statuses(mock, 3)).toEqual([429, 503, 503]);
  for (const reports of [world.faults, mock.faults()])
    expect(reports.map(({ matched }) => matched)).toEqual([1, 2, 0]);
});

describe('a probability', () => {
  const sometimes: Fault = { ...unavailable, probability: 0.5 };
  const draw = (seed: string, key: string) =>
    statuses(createMock({ seed, faults: [sometimes] }), 40, key);

  test('is the same for the same seed and key, and differs otherwise', async () => {
    const drawn = await draw('a', 'test-one');
    expect(await draw('a', 'test-one')).toEqual(drawn);
    expect(await draw('b', 'test-one')).not.toEqual(drawn);
    expect(await draw('a', 'test-two')).not.toEqual(drawn);
    expect(new Set(drawn)).toEqual(new Set([200, 503]));
  });

  test('does not change the generated ids', async () => {
    const nextId = async (faults: readonly Fault[]): Promise<string> => {
      const mock = createMock({ faults });
      await statuses(mock, 5);
      return (await (await mock.world(testKey)).createStream({ name: 'a' })).id;
    };
    expect(await nextId([sometimes])).toBe(await nextId([]));
  });
});

test('a reset brings back the faults that the world began with', async () => {
  const mock = createMock({ faults: [{ ...unavailable, times: 1 }] });
  const world = await mock.world(testKey);
  world.addFault({ effect: 'reset' });
  expect(await statuses(mock, 2)).toEqual([503, 0]);
  await world.reset();
  expect(await statuses(mock, 2)).toEqual([503, 200]);
});

test('a world has at most 100 faults at once', async () => {
  const world = await createMock().world();
  for (let count = 0; count < 100; count++) world.addFault(unavailable);
  expect(() => world.addFault(unavailable)).toThrow(
    'faults: expected at most 100 at once, got one more; remove one first',
  );
});

test('a fault is added, listed and removed over HTTP', async () => {
  const { fetch } = createMock();
  const body = JSON.stringify({ ...unavailable, operation: 'listStreams' });
  const added = await fetch(testRequest('POST /_mock/faults', { body }));
  expect(added.status).toBe(201);
  const report = { id: 1, fault: { ...unavailable, operation: 'listStreams' }, matched: 0 };
  expect(await added.json()).toEqual(report);
  expect((await fetch(testRequest('GET /api/stream'))).status).toBe(503);
  const listed = await fetch(testRequest('GET /_mock/faults'));
  expect(await listed.json()).toEqual([{ ...report, matched: 1 }]);
  const removed = await fetch(testRequest('DELETE /_mock/faults/1'));
  expect([removed.status, await removed.json()]).toEqual([200, { ...report, matched: 1 }]);
});

test('a fault that is added after an import has a new id', async () => {
  const world = await createMock().world();
  for (let count = 0; count < 3; count++) world.addFault(unavailable);
  const state = world.exportState({ journal: true });
  const faults = { ...(state.faults as FaultsState), added: 1 };
  await world.importState({ ...state, faults });
  expect(world.addFault(unavailable).id).toBe(4);
});
