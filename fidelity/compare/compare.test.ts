import { describe, expect, onTestFinished, test } from 'vitest';
import { mediaMutants } from '../../conformance/mutants/media.ts';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock } from '../../mocks/mock.ts';
import { against, apiKey, dialectOf } from './against.test-support.ts';
import { compare } from './compare.ts';
import { exitStatus } from './model/comparison.ts';
import { parseKnown } from './model/known.ts';
import { renderTerminal } from './report/terminal.ts';

test('the mock does not differ from itself', async () => {
  const comparison = await compare({ ...against({}), operations: 3_000 });
  expect(comparison).toMatchObject({ differences: [], unsteady: 0, unknown: 0, leftBehind: [] });
  expect(comparison.coverage.operations).toBeGreaterThanOrEqual(3_000);
  expect(comparison.coverage.rows.reached).toBeGreaterThan(140);
  expect(exitStatus(comparison)).toBe(0);
}, 120_000);

test('the mock served over HTTP does not differ from the mock in this process', async () => {
  const server = await serve(createMock({ now: Date.now, recordingDelay: 300 }));
  onTestFinished(() => server.close());
  const comparison = await compare({
    ...{ baseUrl: server.baseUrl, apiKey, otherApiKey: 'test-another', operations: 300 },
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
    expect(difference?.transcript.steps.length).toBeLessThanOrEqual(5);
    expect(exitStatus(found)).toBe(1);

    const same = await compare({ ...against(rows), dialect: dialectOf(rows), operations: 1_000 });
    expect(same.differences).toEqual([]);
  },
  60_000,
);

test('each of several differences in one response has its own line', async () => {
  const rows: Partial<Behaviours> = { 'create.location': 'present', 'cors.requests': 'echo' };
  const { differences } = await compare({ ...against(rows), operations: 300, most: 3 });
  const lines = differences.flatMap(({ found, line }) =>
    found.operation === 'createStream' && found.about.length === 0 ? [[found.where, line]] : [],
  );
  expect(Object.fromEntries(lines)).toEqual({
    'header location': { row: 'create.location', value: 'present' },
    'header access-control-allow-origin': { row: 'cors.requests', value: 'echo' },
  });
}, 60_000);

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
  const { steps = [], responses = [] } = differences[0]?.transcript ?? {};
  expect(steps.map(({ move, status }) => [move, status])).toEqual([
    ['createStream', 201],
    ['deleteStream', 200],
  ]);
  expect(steps.at(-1)?.request).toMatch(
    /^curl .* -X 'DELETE' -H 'authorization: Bearer '"\$LIVESTREAM_API_KEY" --url 'http/,
  );
  const marked = responses.map((lines) => lines.filter(({ differs }) => differs));
  expect(marked.flat().map(({ text }) => text)).toEqual(['200', '204']);
  expect(JSON.stringify(differences)).not.toContain(apiKey);
});

test('no part of the key is left where a response that shows it is cut', async () => {
  const echo =
    (send: Send): Send =>
    async (request) =>
      request.method === 'DELETE'
        ? new Response(`${'-'.repeat(592)}${apiKey}`, { status: 418 })
        : send(request);
  const { differences } = await compare({ ...against({}, echo), operations: 300, most: 1 });
  expect(differences).toHaveLength(1);
  expect(JSON.stringify(differences)).not.toContain(`-${apiKey.slice(0, 4)}`);
});

describe('what is no difference:', () => {
  test('a service that does not agree with itself', async () => {
    let requests = 0;
    const alternate =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        const isOdd = request.method === 'DELETE' && Math.sin((requests++) ** 2) > 0.6;
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

test('a difference is not unsteady because the service did not respond when asked again', async () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const found = await compare({ ...against(rows), operations: 500, most: 1 });
  let deleted = false;
  const breakOffNext =
    (send: Send): Send =>
    (request) => {
      if (deleted && request.method === 'POST') return Promise.reject(new TypeError('closed'));
      deleted ||= request.method === 'DELETE' && /api.stream./.test(request.url);
      return send(request);
    };
  const path = found.differences[0]?.path ?? '';
  const again = await compare({
    ...against(rows, breakOffNext),
    path,
  });
  expect(again).toMatchObject({ differences: [], unsteady: 0, unknown: 1 });
});

test('a service that no longer responds is given up, and too little is known', async () => {
  let requests = 0;
  const die =
    (send: Send): Send =>
    (request) =>
      ++requests > 500 ? Promise.reject(new TypeError('closed')) : send(request);
  const comparison = await compare(against({}, die));
  expect(comparison).toMatchObject({ differences: [], gaveUp: true });
  expect(exitStatus(comparison)).toBe(2);
});

describe('known differences', () => {
  const rows: Partial<Behaviours> = { 'delete.shows': 'stream' };
  const signature = 'deleteStream | status | 200 ≠ 204';

  const reason = 'our service shows what it deleted';

  test('are accepted, with their reason', async () => {
    const known = [{ signature, reason }];
    const comparison = await compare({ ...against(rows), known, operations: 300 });
    expect(comparison.differences).toMatchObject([{ signature, known: reason }]);
    expect(exitStatus(comparison)).toBe(0);
  });

  test('are those whose entry a new difference has, and their paths are run first', async () => {
    const found = await compare({ ...against(rows), operations: 500, most: 1, seed: 7 });
    const entry = found.differences[0]?.entry;
    expect(entry).toEqual({ signature, reason: 'say why', seed: 7, path: expect.any(String) });
    const again = await compare({ ...against(rows), known: entry ? [entry] : [], operations: 1 });
    expect(again.differences).toMatchObject([{ signature, known: 'say why' }]);
    expect(exitStatus(again)).toBe(0);
  });

  test('fail once their path no longer shows them', async () => {
    const { differences } = await compare({ ...against(rows), operations: 500, most: 1 });
    const known = [{ signature, reason, path: differences[0]?.path ?? '' }];
    const comparison = await compare({ ...against({}), known, operations: 1 });
    expect(comparison).toMatchObject({ unseen: [signature], notReached: [] });
    expect(exitStatus(comparison)).toBe(1);
  });

  test('without a path do not fail when a search does not reach them', async () => {
    const known = [{ signature, reason }];
    const comparison = await compare({ ...against({}), known, operations: 300 });
    expect(comparison).toMatchObject({ unseen: [], notReached: [signature] });
    expect(exitStatus(comparison)).toBe(0);
  });

  test('are not listed as not reached where nothing could be compared', async () => {
    const closed = (): Send => () => Promise.reject(new TypeError('closed'));
    const known = [{ signature, reason }];
    const comparison = await compare({ ...against({}, closed), known });
    expect(comparison).toMatchObject({ unseen: [], notReached: [] });
    expect(exitStatus(comparison)).toBe(4);
  });

  test.each([
    [
      '{"known":[{"signature":"a","reason":"say why"}]}',
      'known[0].reason: expected your own reason in place of "say why"',
    ],
    ['{"known":[],"knwon":1}', 'expected an object with the key known, got "knwon" too'],
    [
      '{"known":[{"signature":"a","reason":"b","expires":"c"}]}',
      'known[0]: expected an object with the keys signature, reason, and optionally seed and path, got "expires" too',
    ],
  ])('cannot be %s', (text, message) => {
    expect(() => parseKnown(text)).toThrow(message);
  });
});

test('a search that time ends says so, and why sequences ended early', async () => {
  const startOnce = (send: Send): Send => {
    let starts = 0;
    return (request) =>
      request.url.endsWith('/start') && ++starts > 1
        ? Promise.resolve(new Response(null, { status: 503 }))
        : send(request);
  };
  const comparison = await compare({ ...against({}, startOnce), time: 0, operations: 300 });
  expect(comparison.timeRanOut).toBe(true);
  const missing = await compare({ ...against({}, startOnce), operations: 300 });
  expect(missing.unknownReasons.join()).toContain('going live through the control API: POST');
  expect(renderTerminal(missing, { colours: false, width: 500 })).toContain(
    'No session could be made: going live through the control API: POST http://service.test/_mock',
  );
});

test('a control API that is not there ends a comparison before it begins, with what to do', async () => {
  const provider = { controlUrl: 'http://service.test/nothing' };
  const comparison = await compare({ ...against({}), provider });
  expect(exitStatus(comparison)).toBe(2);
  expect(renderTerminal(comparison, { colours: false, width: 500 })).toMatch(
    /^No session could be made, going live .* got 404\. Check --control-url, or leave it out/m,
  );
});

test('a report names the sides and the delays', async () => {
  const later = await compare({ ...against({ 'time.ready': 5_000 }), operations: 2_000, most: 1 });
  const text = renderTerminal(later, { colours: false, width: 500 });
  expect(text).toMatch(
    /: delay until ready is longer \(\d+ ms\) on the target, and shorter \(\d+ ms\) on the mock/,
  );
  expect(text).toMatch(/^The target and the mock differ: 1 difference found\.$/m);
});

test.each<[string, () => Promise<Response>]>([
  ['HTML for everything', async () => new Response('<!doctype html><p>no</p>', { status: 200 })],
  ['an error for everything', async () => new Response('no', { status: 500 })],
  ['nothing', () => Promise.reject(new TypeError('closed'))],
])('a service that sends %s gets a verdict', async (_, send) => {
  const comparison = await compare({ ...against({}, () => send), operations: 100 });
  expect([1, 2, 4]).toContain(exitStatus(comparison));
});
