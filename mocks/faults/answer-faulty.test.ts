import { describe, expect, test } from 'vitest';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import type { Fault } from './fault.ts';

interface Stage {
  readonly mock: Mock;
  readonly world: World;
  /** Sends a request such as `GET /api/stream`. */
  readonly send: (line: string, body?: object) => Promise<Response>;
}

async function setStage(...faults: readonly Fault[]): Promise<Stage> {
  const mock = createMock({ faults, recordingDelay: 0 });
  const send = (line: string, body?: object) =>
    mock.fetch(testRequest(line, body && { body: JSON.stringify(body) }));
  return { mock, world: await mock.world(testKey), send };
}

const create = ['POST /api/stream', { name: 'Harbour camera' }] as const;

describe('a status', () => {
  test.each<[string, Partial<Extract<Fault, { effect: 'status' }>>, string, string]>([
    ['says so', {}, 'application/json; charset=utf-8', '{"errors":["a fault answers 503"]}'],
    ['has a body of JSON', { body: { code: 7 } }, 'application/json; charset=utf-8', '{"code":7}'],
    ['has the body null', { body: null }, 'application/json; charset=utf-8', 'null'],
    ['has a text', { body: '<h1>Oops</h1>' }, 'text/plain; charset=utf-8', '<h1>Oops</h1>'],
  ])('%s', async (_, details, type, text) => {
    const { send } = await setStage({ effect: 'status', status: 503, ...details });
    const answer = await send('GET /api/stream');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, type]);
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('retry-after')).toBe(false);
  });

  test('tells when to come again, which a page may read', async () => {
    const { send } = await setStage({ effect: 'status', status: 429, retryAfter: 30 });
    const { headers } = await send('GET /api/stream');
    expect(headers.get('retry-after')).toBe('30');
    expect(headers.get('access-control-expose-headers')).toContain('retry-after');
  });
});

describe('nothing is done where the fault comes', () => {
  test.each<Fault>([{ effect: 'status', status: 500 }, { effect: 'reset' }])(
    'before the request: %j',
    async (fault) => {
      const { world, send } = await setStage(fault);
      await send(...create);
      expect(world.streams()).toEqual([]);
    },
  );
});

describe('the request is carried out where the fault comes', () => {
  test.each<Fault>([
    { effect: 'truncate' },
    { effect: 'malformed' },
    { effect: 'drip', bytesPerSecond: 10 },
    { effect: 'delay', delay: 0 },
  ])('after it: %j', async (fault) => {
    const { world, send } = await setStage(fault);
    expect((await send(...create)).status).toBe(201);
    expect(world.streams()).toMatchObject([{ name: 'Harbour camera' }]);
  });

  test('and of an answer without a body, a client that it breaks off for hears nothing', async () => {
    const { world, send } = await setStage({ effect: 'truncate' });
    const { id } = await world.createStream({ name: 'a' });
    expect((await send(`PATCH /api/stream/${id}/record`, { record: true })).type).toBe('error');
    expect(world.streams()).toMatchObject([{ record: true }]);
  });
});

describe('a delay', () => {
  test('ends when a clock that stands still is moved on far enough', async () => {
    const { world, send } = await setStage({ effect: 'delay', delay: '10s' });
    const events: string[] = [];
    const answer = send(...create).then(({ status }) => events.push(`answered ${status}`));
    for (const step of ['4s', '4s', '4s']) {
      await expect.poll(() => world.faults[0]?.matched).toBe(1);
      events.push(`at ${step}, ${world.streams().length} streams`);
      world.clock.advance(step);
    }
    await answer;
    expect(events).toEqual([...Array(3).fill('at 4s, 0 streams'), 'answered 201']);
  });

  test('is over in real time where the clock runs', async () => {
    const mock = createMock({ now: Date.now, faults: [{ effect: 'delay', delay: 120 }] });
    const start = performance.now();
    await mock.fetch(testRequest('GET /api/stream'));
    expect(performance.now() - start).toBeGreaterThan(110);
  });

  test('is drawn between two times, the same for the same seed and key', async () => {
    const delay = { from: '1s', to: '2s' };
    const waits = async (): Promise<number[]> => {
      const { world, send } = await setStage({ effect: 'delay', delay });
      const drawn: number[] = [];
      for (let count = 0; count < 5; count++) {
        const start = world.clock.now();
        let answered = false;
        const answer = send('GET /api/stream').then(() => {
          answered = true;
        });
        await expect.poll(() => world.faults[0]?.matched).toBe(count + 1);
        world.clock.advance(999);
        while (!answered) {
          world.clock.advance(1);
          await Promise.race([answer, new Promise((resolve) => setImmediate(resolve))]);
        }
        drawn.push(Math.round((world.clock.now() - start) / 100));
      }
      return drawn;
    };
    const drawn = await waits();
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(21);
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  test('comes before a status, too', async () => {
    const { world, send } = await setStage({ effect: 'status', status: 503, delay: '1s' });
    const answer = send('GET /api/stream');
    await expect.poll(() => world.faults[0]?.matched).toBe(1);
    world.clock.advance('1s');
    expect((await answer).status).toBe(503);
  });

  test('whose client goes away is over, and the request has done nothing', async () => {
    const { mock, world } = await setStage({ effect: 'delay', delay: '1h' });
    const client = new AbortController();
    const request = testRequest('POST /api/stream', { body: '{"name":"a"}' });
    const answer = mock.fetch(new Request(request, { signal: client.signal }));
    await expect.poll(() => world.faults[0]?.matched).toBe(1);
    client.abort();
    expect((await answer).type).toBe('error');
    expect(world.streams()).toEqual([]);
    expect(world.requests()).toMatchObject([{ operation: 'createStream', answer: { status: 0 } }]);
  });

  test('keeps nobody from another request', async () => {
    const { world, send } = await setStage({ effect: 'delay', delay: '1h', times: 1 });
    const slow = send('GET /api/stream');
    expect((await send('GET /api/stream')).status).toBe(200);
    world.clock.advance('1h');
    expect((await slow).status).toBe(200);
  });
});

describe('a recording', () => {
  test.each([
    ['recording-failed', 'failed'],
    ['recording-waiting', 'waiting'],
  ] as const)('of a session that ends meets %s', async (effect, recordingStatus) => {
    const { world } = await setStage({ effect, times: 2 });
    const { id } = await world.createStream({ name: 'recorded', record: true });
    await world.start(id);
    world.clock.advance('1m');
    await world.stop(id);
    await world.start(id, { duration: 5 });
    await world.start(id, { duration: 5 });
    world.clock.advance('1d');
    const statuses = world.sessions(id).map((session) => session.recordingStatus);
    expect(statuses).toEqual(['ready', recordingStatus, recordingStatus]);
    expect(world.sessions(id)[1]).not.toHaveProperty('recordingUrl');
    expect(world.faults).toMatchObject([{ matched: 2 }]);
  });

  test('that nobody makes meets none', async () => {
    const { world } = await setStage({ effect: 'recording-failed' });
    const { id } = await world.createStream({ name: 'not recorded' });
    await world.start(id, { duration: 5 });
    expect(world.faults).toMatchObject([{ matched: 0 }]);
  });

  test('of one stream can be meant', async () => {
    const { world } = await setStage();
    const streams = [
      await world.createStream({ name: 'one', record: true }),
      await world.createStream({ name: 'other', record: true }),
    ];
    world.addFault({ effect: 'recording-failed', id: streams[1]?.id ?? '' });
    const ended = streams.map(({ id }) => world.start(id, { duration: 5 }));
    const statuses = (await Promise.all(ended)).map(({ recordingStatus }) => recordingStatus);
    expect(statuses).toEqual(['ready', 'failed']);
  });
});
