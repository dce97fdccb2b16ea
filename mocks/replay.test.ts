import { expect, test } from 'vitest';
import { readErrors, stateText, testKey, testRequest } from './http/request.test-support.ts';
import { createMock, type Mock } from './mock.ts';

const settings = { world: 'demo', seed: 'reporter' } as const;

/** Sends requests with a key, and returns what a client sees of the responses. */
function createClient({ fetch }: Mock, apiKey: string) {
  const responses: { line: string; status: number; body: string }[] = [];
  const authorization = `Bearer ${apiKey}`;
  const send = async (line: string, sent?: object) => {
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const response = await fetch(testRequest(line, { authorization, ...body }));
    const seen = { line, status: response.status, body: await response.text() };
    responses.push(seen);
    return seen;
  };
  return { responses, send };
}

/** A mock with a live stream, faults and a journal, and its state as in a bug report. */
async function reporter(): Promise<{ mock: Mock; report: string }> {
  const mock = createMock(settings);
  const { send } = createClient(mock, testKey);
  const { id } = JSON.parse((await send('POST /api/stream', { name: 'Quay', record: true })).body);
  await send(`POST /_mock/streams/${id}/start`);
  await send('POST /_mock/clock', { advance: '21s' });
  const refusal = { effect: 'status', status: 503, operation: 'createStream' };
  await send('POST /_mock/faults', { ...refusal, probability: 0.5 });
  await send('POST /_mock/faults', { effect: 'recording-failed', times: 2 });
  for (const name of ['a', 'b', 'c']) await send('POST /api/stream', { name });
  await send('GET /api/nowhere');
  expect((await send('GET /_mock/state?journal=true')).status).toBe(422);
  return { mock, report: (await send('GET /_mock/state?journal=1')).body };
}

/** Sends the requests after the report, which read everything that a client can see. */
async function sendRest(mock: Mock, apiKey: string) {
  const { responses, send } = createClient(mock, apiKey);
  const [live] = JSON.parse((await send('GET /api/session?record=1')).body);
  await send(`PATCH /api/stream/${live.parentId}/record`, { record: false });
  await send(`GET /hls/${live.playbackId}/index.m3u8`);
  await send(`POST /_mock/streams/${live.parentId}/stop`);
  for (const name of ['d', 'e', 'f', 'g', 'h', 'i']) {
    const created = await send('POST /api/stream', { name, record: true });
    if (created.status !== 201) continue;
    const { id } = JSON.parse(created.body);
    const started = await send(`POST /_mock/streams/${id}/start`, { duration: 90.5 });
    await send('POST /_mock/clock', { advance: '2s' });
    await send(`GET /recordings/${JSON.parse(started.body).id}/index.m3u8`);
  }
  await send(`DELETE /api/stream/${live.parentId}`);
  await send('GET /api/stream');
  await send('GET /api/session');
  await send('GET /_mock/faults');
  await send('GET /_mock/state?journal=1');
  return responses;
}

async function importReport(mock: Mock, apiKey: string, report: string): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const request = testRequest('PUT /_mock/state', { authorization, body: report });
  expect((await mock.fetch(request)).status).toBe(204);
}

test('a bug report contains no key, and a mock that imports it responds byte for byte like the original, with another key and seed', async () => {
  const { mock, report } = await reporter();
  expect(report).toContain('[API key]');
  expect(report).not.toContain(testKey);
  const journal = (await mock.world(testKey)).requests();
  const other = createMock({ world: 'crowded', streams: 3, seed: 'other' });
  await importReport(other, 'test-other', report);
  expect((await other.world('test-other')).requests()).toEqual(journal);
  const responses = await sendRest(mock, testKey);
  const statuses = new Set(responses.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 201, 204, 400, 404, 503]));
  expect(await sendRest(other, 'test-other')).toEqual(responses);
});

test('a reset after an import goes back to the seed of the report', async () => {
  const { report } = await reporter();
  const other = createMock({ world: 'demo', seed: 'other' });
  await importReport(other, testKey, report);
  const world = await other.world(testKey);
  await world.reset();
  expect(world.exportState()).toEqual((await createMock(settings).world(testKey)).exportState());
});

test('an import without journal and faults keeps the faults', async () => {
  const { mock } = await reporter();
  const world = await mock.world(testKey);
  const { faults } = world;
  await world.importState(world.exportState());
  expect(world.faults).toEqual(faults);
  expect(faults).toHaveLength(2);
});

const reset = { id: 1, fault: { effect: 'reset' }, matched: 0 };
const drip = { effect: 'drip', bytesPerSecond: 1 };

test.each([
  [
    'an effect that the integration cannot produce',
    { reports: [{ ...reset, fault: drip }], added: 1 },
    'faults.reports[0].fault.effect: expected one that this integration can produce, got "drip"; it is whole',
  ],
  [
    'more than 100',
    {
      reports: Array.from({ length: 101 }, (_, index) => ({ ...reset, id: index + 1 })),
      added: 101,
    },
    'line 1, faults.reports: expected at most 100 faults, got an array of 101',
  ],
  [
    'fewer than no matches',
    { reports: [{ ...reset, matched: -1 }], added: 1 },
    'line 1, faults.reports[0].matched: expected a whole number, 0 or above, got -1',
  ],
])('a state of faults with %s is refused, and nothing is imported', async (_, faults, error) => {
  const mock = createMock({ world: 'demo', unable: { drip: 'it is whole' } });
  const world = await mock.world(testKey);
  const before = world.exportState({ journal: true });
  const state = { ...before, streams: [], sessions: [], faults: { ...before.faults, ...faults } };
  const body = stateText(state as typeof before);
  const response = await mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect(await readErrors(response)).toEqual([error]);
  expect(world.exportState({ journal: true })).toEqual(before);
});
