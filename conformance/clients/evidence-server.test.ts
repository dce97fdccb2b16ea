import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { listenForEvidence } from './evidence-server.ts';
import { createRunEvidence, type MockEvidence } from './run-evidence.ts';
import { trialOf } from './trials.test-support.ts';
import { dialectTrial } from './trials.ts';

/** Listens until the test ends; what was reported so far. */
async function listen() {
  const reported: MockEvidence[] = [];
  const { url, close } = await listenForEvidence((evidence) => reported.push(evidence));
  onTestFinished(close);
  return { url, reported };
}

/** What a mock would report after one request of an app. */
async function reportOfOneRequest(mockId: string, changed: Record<string, number>) {
  const mock = createMock();
  const headers = { authorization: 'Bearer test-demo' };
  await mock.fetch(new Request('http://a.test/api/stream', { headers }));
  const requests = (await mock.world()).requests();
  return { mock: mockId, evidence: { variant: 'a', compared: 1, changed }, requests };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a mock reports from a page of any origin', async () => {
  const { url, reported } = await listen();
  const response = await post(url, await reportOfOneRequest('one', { a: 2 }));
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(reported).toMatchObject([{ mock: 'one', changed: { a: 2 }, exchanges: [{ number: 1 }] }]);
});

test.each([
  ['no JSON', 'nonsense'],
  ['another object', { mock: 'a', evidence: { changed: { a: -1 } }, requests: [] }],
  ['requests of another form', { mock: 'a', evidence: { changed: {} }, requests: [{}] }],
])('%s is refused, and nothing is believed', async (_, body) => {
  const { url, reported } = await listen();
  expect((await post(url, body)).status).toBe(422);
  expect(reported).toEqual([]);
});

test('nobody who does not know the address can report', async () => {
  const { url, reported } = await listen();
  const report = await reportOfOneRequest('one', {});
  expect((await post(new URL('/', url).href, report)).status).toBe(404);
  expect(reported).toEqual([]);
});

test('of each mock, the last counts are added up, only for the trials of the run', async () => {
  const seen: number[] = [];
  const evidence = createRunEvidence([trialOf('a')], ({ number }) => seen.push(number));
  const exchanges = (await reportOfOneRequest('one', {})).requests;
  evidence.add({ mock: 'one', changed: { a: 1 }, exchanges });
  evidence.add({ mock: 'one', changed: { a: 3, other: 9 }, exchanges: [] });
  evidence.add({ mock: 'two', changed: { a: 2 }, exchanges });
  expect(evidence.read().changed).toEqual({ a: 5 });
  expect(evidence.read().exchanges).toHaveLength(2);
  expect(seen).toEqual([1, 1]);
});

test('mocks get the dialect of the run, and what they say of it counts for its trial', async () => {
  const dialect = { dialect: 3, name: 'Acme', behaviours: { 'stream.record': 'absent' } } as const;
  const { dialectUrl = '', close } = await listenForEvidence(() => {}, dialect);
  onTestFinished(close);
  expect(await (await fetch(dialectUrl)).json()).toEqual(dialect);
  const evidence = createRunEvidence([dialectTrial('acme.json', dialect)], () => {});
  evidence.add({ mock: 'one', changed: { dialect: 4 }, exchanges: [] });
  expect(evidence.read().changed).toEqual({ 'acme.json': 4 });
});
