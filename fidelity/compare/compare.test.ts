import { describe, expect, onTestFinished, test } from 'vitest';
import { mediaMutants } from '../../conformance/mutants/media.ts';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock } from '../../mocks/mock.ts';
import { type CompareOptions, compare } from './compare.ts';
import { exitStatus } from './comparison.ts';

const apiKey = 'test-compared';

function dialectOf(rows: Partial<Behaviours>): Dialect {
  return { format: 'livestream-mock/dialect', version: 1, rows };
}

/** Time that moves only when somebody waits. */
function standingClock(): Required<Pick<CompareOptions, 'now' | 'pause'>> {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds;
    },
  };
}

/** Options that compare a mock in this process, changed by `wrap`, with the mock as it is. */
function against(
  rows: Partial<Behaviours>,
  wrap: (send: Send) => Send = (send) => send,
): CompareOptions {
  const clock = standingClock();
  const mock = createMock({ now: clock.now, dialect: dialectOf(rows) });
  return {
    baseUrl: 'http://service.test/api',
    apiKey,
    otherKey: 'test-another',
    provider: { controlUrl: 'http://service.test/_mock' },
    send: wrap(mock.fetch),
    time: 120_000_000,
    ...clock,
  };
}

test('the mock does not differ from itself', async () => {
  const comparison = await compare({ ...against({}), operations: 5_000 });
  expect(comparison).toMatchObject({ differences: [], unsteady: 0, unknown: 0, leftBehind: [] });
  expect(comparison.coverage.operations).toBeGreaterThanOrEqual(5_000);
  expect(comparison.coverage.rows.reached).toBeGreaterThan(140);
  expect(exitStatus(comparison)).toBe(0);
}, 120_000);

test('the mock served over HTTP does not differ from the mock in this process', async () => {
  const server = await serve(createMock({ now: Date.now, recordingDelay: 300 }));
  onTestFinished(() => server.close());
  const comparison = await compare({
    ...{ baseUrl: server.baseUrl, apiKey, otherKey: 'test-another', operations: 300 },
    provider: { controlUrl: server.baseUrl.replace(/api$/, '_mock') },
    dialect: dialectOf({ 'time.ready': 300 }),
  });
  expect(comparison).toMatchObject({ differences: [], unknown: 0, leftBehind: [] });
});

const behaviours: readonly Partial<Behaviours>[] = [
  { 'refusal.no-key': { status: 403 } },
  { 'profile.zero.width': 'accepted' },
  { 'list.page-size': 2 },
  { 'session.mp4Url': 'absent' },
  { 'cors.max-age': null },
  { 'time.ready': 5_000 },
];

test.each(behaviours)(
  '%j alone is found, explained, and gone with the dialect',
  async (rows) => {
    const [row] = Object.keys(rows);
    const found = await compare({ ...against(rows), operations: 2_000, most: 1 });
    const [difference] = found.differences;
    expect(difference?.line).toEqual({ row, value: Object.values(rows)[0] });
    expect(difference?.transcript.length).toBeLessThanOrEqual(5);
    expect(exitStatus(found)).toBe(1);

    const same = await compare({ ...against(rows), dialect: dialectOf(rows), operations: 1_000 });
    expect(same.differences).toEqual([]);
  },
  60_000,
);

test('media differs that claims fewer renditions', async () => {
  const { 'media-one-rendition-for-profiles': mutant } = mediaMutants;
  const options = against({}, (send) => mutant?.make(send, () => {}) ?? send);
  const { differences } = await compare({ ...options, path: '3' });
  expect(differences.map(({ found }) => found)).toMatchObject([
    { operation: 'listSessionsOfStream', where: 'renditions', kinds: ['1', '3'] },
  ]);
  expect(await compare({ ...against({}), path: '3' })).toMatchObject({
    differences: [],
    unknown: 0,
  });
});

test('a seed and the path of a difference show it again, in its shortest sequence', async () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const { differences } = await compare({ ...against(rows), operations: 500, most: 1, seed: 7 });
  const path = differences[0]?.path ?? '';
  const again = await compare({ ...against(rows), seed: 7, path });
  expect(again.differences.map(({ signature }) => signature)).toEqual([
    'deleteStream | status | 200 ≠ 204',
  ]);
  expect(again.coverage.operations).toBe(2);
});

test('a difference shows what was sent and what came, without the key', async () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const { differences } = await compare({ ...against(rows), operations: 500, most: 1 });
  const step = differences[0]?.transcript.at(-1);
  expect(step?.exchanges.map((exchange) => exchange?.status)).toEqual([200, 204]);
  expect(step?.exchanges[0]?.curl).toContain("-X 'DELETE'");
  expect(JSON.stringify(differences)).not.toContain(apiKey);
});

describe('what is no difference:', () => {
  test('a service that does not agree with itself', async () => {
    let requests = 0;
    const alternate =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        const isOdd = request.method === 'DELETE' && Math.sin((requests++) ** 2) > 0;
        return isOdd ? new Response(null, { status: 202 }) : response;
      };
    const comparison = await compare({ ...against({}, alternate), operations: 600 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unsteady).toBeGreaterThan(0);
    expect(exitStatus(comparison)).toBe(0);
  });

  test('a service that responds otherwise in a fixed rhythm', async () => {
    let requests = 0;
    const everyThird =
      (send: Send): Send =>
      (request) => {
        const isThird = request.url.includes('/api/') && ++requests % 3 === 0;
        return isThird ? Promise.resolve(new Response('odd', { status: 418 })) : send(request);
      };
    const comparison = await compare({ ...against({}, everyThird), operations: 300 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unsteady).toBeGreaterThan(10);
  });

  test('requests without a response', async () => {
    let requests = 0;
    const breakOff =
      (send: Send): Send =>
      (request) =>
        requests++ % 40 === 39 ? Promise.reject(new TypeError('closed')) : send(request);
    const comparison = await compare({ ...against({}, breakOff), operations: 300 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unknown).toBeGreaterThan(0);
  });
});

describe('known differences', () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const signature = 'deleteStream | status | 200 ≠ 204';

  test('are accepted, with their reason', async () => {
    const known = new Map([[signature, 'our service shows what it deleted']]);
    const comparison = await compare({ ...against(rows), known, operations: 300 });
    expect(comparison.differences).toMatchObject([{ signature, known: known.get(signature) }]);
    expect(exitStatus(comparison)).toBe(0);
  });

  test('fail once they no longer appear', async () => {
    const known = new Map([[signature, 'our service shows what it deleted']]);
    const comparison = await compare({ ...against({}), known, operations: 300 });
    expect(comparison.unseen).toEqual([signature]);
    expect(exitStatus(comparison)).toBe(1);
  });
});

test.each<[string, () => Promise<Response>]>([
  ['HTML for everything', async () => new Response('<!doctype html><p>no</p>', { status: 200 })],
  ['an error for everything', async () => new Response('no', { status: 500 })],
  ['nothing', () => Promise.reject(new TypeError('closed'))],
])('a service that sends %s gets a verdict', async (_, send) => {
  const comparison = await compare({ ...against({}, () => send), operations: 100 });
  expect([1, 2, 4]).toContain(exitStatus(comparison));
});
