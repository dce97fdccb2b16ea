import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readErrors, testKey, testRequest } from './http/request.test-support.ts';
import { createMock, type Mock } from './mock.ts';
import { type PlainAnswer, playBeginning, playRest } from './replay.test-support.ts';

const settings = { world: 'demo', seed: 'reporter' } as const;

/** A mock in the midst of a story, and what its owner puts in a bug report. */
async function reporter(): Promise<{ mock: Mock; report: string }> {
  const mock = createMock(settings);
  await playBeginning(mock, testKey);
  const answer = await mock.fetch(testRequest('GET /_mock/state?journal=1'));
  return { mock, report: await answer.text() };
}

async function importReport(mock: Mock, apiKey: string, report: string): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const request = testRequest('PUT /_mock/state', { authorization, body: report });
  expect((await mock.fetch(request)).status).toBe(204);
}

/** The rest of the story as another process tells it. */
async function playElsewhere(report: string): Promise<readonly PlainAnswer[]> {
  const script = fileURLToPath(new URL('./replay-elsewhere.test-support.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(report);
  return JSON.parse(await text(child.stdout));
}

test('a bug report goes on byte for byte, with another key, seed and process', async () => {
  const { mock, report } = await reporter();
  const answers = await playRest(mock, testKey);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 201, 204, 400, 404, 503]));
  const other = createMock({ world: 'crowded', streams: 3, seed: 'other' });
  await importReport(other, 'test-other', report);
  expect(await playRest(other, 'test-other')).toEqual(answers);
  expect(await playElsewhere(report)).toEqual(answers);
});

test('without its faults it would go on otherwise', async () => {
  const { mock, report } = await reporter();
  const { faults: _, ...faultless } = JSON.parse(report);
  const other = createMock();
  await importReport(other, testKey, JSON.stringify(faultless));
  expect(await playRest(other, testKey)).not.toEqual(await playRest(mock, testKey));
});

test('the journal of a bug report is there after the import, and goes on', async () => {
  const { mock, report } = await reporter();
  const journal = (await mock.world(testKey)).requests();
  const other = createMock();
  await importReport(other, 'test-other', report);
  const world = await other.world('test-other');
  expect(world.requests()).toEqual(journal);
  await other.fetch(testRequest('GET /api/stream', { authorization: 'Bearer test-other' }));
  expect(world.requests().at(-1)?.number).toBe(journal.length + 1);
});

test('a bug report holds no key', async () => {
  const { report } = await reporter();
  expect(report).toContain('[API key]');
  expect(report).not.toContain(testKey);
});

test('a reset after an import goes back to the seed of the report', async () => {
  const { report } = await reporter();
  const other = createMock({ world: 'demo', seed: 'other' });
  await importReport(other, testKey, report);
  const world = await other.world(testKey);
  await world.reset();
  expect(world.exportState()).toEqual((await createMock(settings).world(testKey)).exportState());
});

test('an export without its journal leaves the faults that there are', async () => {
  const { mock } = await reporter();
  const world = await mock.world(testKey);
  const { faults } = world;
  await world.importState(world.exportState());
  expect(world.faults).toEqual(faults);
  expect(faults).toHaveLength(2);
});

test('faults that no mock has exported are refused', async () => {
  const { report } = await reporter();
  const body = JSON.stringify({ ...JSON.parse(report), faults: { reports: [], added: 'none' } });
  const answer = await createMock().fetch(testRequest('PUT /_mock/state', { body }));
  expect(answer.status).toBe(422);
  expect(await readErrors(answer)).toEqual([
    'faults.added: expected a whole number, 0 or above, got "none"',
  ]);
});

const reset = { id: 1, fault: { effect: 'reset' }, matched: 0 };

test.each<[string, object, string]>([
  [
    'an effect that the integration cannot produce',
    { reports: [{ ...reset, fault: { effect: 'drip', bytesPerSecond: 1 } }], added: 1 },
    'faults.reports[0].fault.effect: expected one that this integration can produce, got "drip"; it is whole',
  ],
  [
    'more than 100',
    {
      reports: Array.from({ length: 101 }, (_, index) => ({ ...reset, id: index + 1 })),
      added: 101,
    },
    'faults.reports: expected at most 100 faults, got an array of 101',
  ],
  [
    'one id twice',
    { reports: [reset, reset], added: 2 },
    'faults.reports[1].id: expected every id once, got 1 twice',
  ],
  [
    'an id that is yet to come',
    { reports: [{ ...reset, id: 2 }], added: 1 },
    'faults.reports[0].id: expected at most 1, which is added, got 2',
  ],
  [
    'fewer than no matches',
    { reports: [{ ...reset, matched: -1 }], added: 1 },
    'faults.reports[0].matched: expected a whole number, 0 or above, got -1',
  ],
])('faults with %s are refused, and nothing is imported', async (_, faults, text) => {
  const mock = createMock({ world: 'demo', unable: { drip: 'it is whole' } });
  const world = await mock.world(testKey);
  const before = world.exportState({ journal: true });
  const body = JSON.stringify({
    ...before,
    streams: [],
    sessions: [],
    faults: { ...before.faults, ...faults },
  });
  const answer = await mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect(await readErrors(answer)).toEqual([text]);
  expect(world.exportState({ journal: true })).toEqual(before);
});

test('whatever a world exports can be imported', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  const body = Array.from({ length: 19 }).reduce<unknown>((inner) => [inner], []);
  world.addFault({ effect: 'status', status: 503, body });
  const request = testRequest('GET /api/stream');
  request.headers.append('__proto__', 'polluted');
  await mock.fetch(request);
  expect(world.requests()).toHaveLength(1);
  const report = await mock.fetch(testRequest('GET /_mock/state?journal=1'));
  await importReport(createMock(), testKey, await report.text());
});
