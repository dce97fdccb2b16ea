import { expect, test } from 'vitest';
import { readErrors, stateText, testKey, testRequest } from './http/request.test-support.ts';
import { createMock, type Mock } from './mock.ts';
import { sendFirst, sendRest } from './replay.test-support.ts';

const settings = { world: 'demo', seed: 'reporter' } as const;

/** A mock that has been used, and its state with journal and faults as in a bug report. */
async function reporter(): Promise<{ mock: Mock; report: string }> {
  const mock = createMock(settings);
  await sendFirst(mock, testKey);
  const response = await mock.fetch(testRequest('GET /_mock/state?journal=1'));
  return { mock, report: await response.text() };
}

async function importReport(mock: Mock, apiKey: string, report: string): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const request = testRequest('PUT /_mock/state', { authorization, body: report });
  expect((await mock.fetch(request)).status).toBe(204);
}

test('a mock that has imported a bug report responds byte for byte as the original, with another key and seed', async () => {
  const { mock, report } = await reporter();
  const responses = await sendRest(mock, testKey);
  const statuses = new Set(responses.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 201, 204, 400, 404, 503]));
  const other = createMock({ world: 'crowded', streams: 3, seed: 'other' });
  await importReport(other, 'test-other', report);
  expect(await sendRest(other, 'test-other')).toEqual(responses);
});

test('the journal of a bug report is imported, and goes on', async () => {
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

test('an invalid state of faults is refused', async () => {
  const { report } = await reporter();
  const body = report.replace(/"added":\d+/, '"added":"none"');
  const number = body.split('\n').findIndex((line) => line.includes('"none"')) + 1;
  const response = await createMock().fetch(testRequest('PUT /_mock/state', { body }));
  expect(response.status).toBe(422);
  expect(await readErrors(response)).toEqual([
    `line ${number}, added: expected a whole number, 0 or above, got "none"`,
  ]);
});

const reset = { id: 1, fault: { effect: 'reset' }, matched: 0 };

test.each<{ problem: string; faults: object; error: string }>([
  {
    problem: 'an effect that the integration cannot produce',
    faults: { reports: [{ ...reset, fault: { effect: 'drip', bytesPerSecond: 1 } }], added: 1 },
    error:
      'faults.reports[0].fault.effect: expected one that this integration can produce, got "drip"; it is whole',
  },
  {
    problem: 'more than 100',
    faults: {
      reports: Array.from({ length: 101 }, (_, index) => ({ ...reset, id: index + 1 })),
      added: 101,
    },
    error: 'faults.reports: expected at most 100 faults, got an array of 101',
  },
  {
    problem: 'fewer than no matches',
    faults: { reports: [{ ...reset, matched: -1 }], added: 1 },
    error: 'faults.reports[0].matched: expected a whole number, 0 or above, got -1',
  },
])(
  'a state of faults with $problem is refused, and nothing is imported',
  async ({ faults, error }) => {
    const mock = createMock({ world: 'demo', unable: { drip: 'it is whole' } });
    const world = await mock.world(testKey);
    const before = world.exportState({ journal: true });
    const body = stateText({
      ...before,
      streams: [],
      sessions: [],
      faults: { ...before.faults, ...faults } as NonNullable<typeof before.faults>,
    });
    const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
    expect(await readErrors(response)).toEqual([error]);
    expect(world.exportState({ journal: true })).toEqual(before);
  },
);

test('every exported state can be imported', async () => {
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
