import { expect, onTestFinished, test } from 'vitest';
import { mediaMutants } from '../../conformance/mutants/media.ts';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock } from '../../mocks/mock.ts';
import { against, apiKey, dialectOf, showingInNew } from './against.test-support.ts';
import { compare } from './compare.ts';
import { exitStatus } from './model/comparison.ts';
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

test('an absent operation comes first, and explains its refusals too', async () => {
  const rows: Partial<Behaviours> = { 'operation.retrieveStream': { status: 405 } };
  const { differences } = await compare({ ...against(rows), operations: 400 });
  const row = 'operation.retrieveStream';
  expect(differences.map(({ found, line }) => [found.about, line?.row])).toEqual([
    [[], row],
    [['id: unknown id'], row],
  ]);
});

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
  expect(steps.map(({ move, sides }) => [move, ...sides.map(({ status }) => status)])).toEqual([
    ['createStream', 201, 201],
    ['deleteStream', 200, 204],
  ]);
  const [ofTarget, ofMock] = steps.at(-1)?.sides ?? [];
  expect(ofMock?.request).toBeUndefined();
  expect(ofTarget?.request).toMatch(
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

test('a line for further keys has samples that are made up', async () => {
  const shown = { region: 'text', owner: { id: 0 }, live: false };
  const rows: Partial<Behaviours> = { 'stream.further-keys': shown };
  const real = { region: 'Hamburg', owner: { id: 42 }, live: true };
  const options = against(rows, showingInNew(real));
  const { differences } = await compare({ ...options, operations: 300, most: 1 });
  expect(differences).toMatchObject([{ line: { row: 'stream.further-keys', value: shown } }]);
});

test('an interruption ends the requests to the second target too, and is reported', async () => {
  const { send, ...target } = against({});
  let requests = 0;
  const comparison = await compare({
    ...target,
    ...(send && { send }),
    signal: AbortSignal.abort(),
    other: {
      ...{ baseUrl: 'http://other.test/api', apiKey },
      send: async () => {
        requests += 1;
        return new Response();
      },
    },
  });
  expect(requests).toBe(0);
  expect(renderTerminal(comparison, { colours: false, width: 500 })).toContain(
    'Interrupted: nothing was compared.',
  );
});
