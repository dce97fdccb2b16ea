import { expect, test } from 'vitest';
import { createMock } from '../mocks/mock.ts';
import { sectionsOf } from './report/report-sections.ts';
import { conformant } from './report/sample.test-support.ts';
import { run } from './run-suite.ts';

/** A service that takes a number of requests in each second, and says when the next one begins. */
function limitedTo(perSecond: number) {
  const mock = createMock();
  const times: number[] = [];
  const send = async (request: Request): Promise<Response> => {
    const now = performance.now();
    const recent = times.filter((time) => time > now - 1_000).length;
    if (recent >= perSecond) {
      return new Response(null, { status: 429, headers: { 'retry-after': '1' } });
    }
    times.push(now);
    return mock.fetch(request);
  };
  const { apiKey, prefix } = mock;
  const baseUrl = `http://limited.test${prefix}`;
  return { options: { baseUrl, apiKey, send }, mock, times };
}

test('a service that limits requests is judged, and nothing is left behind', async () => {
  const { options, mock } = limitedTo(10);
  const only = ['CREATE-1', 'CREATE-2', 'CREATE-4', 'CREATE-6', 'RECORD-1', 'RECORD-2', 'LIST-1'];
  const report = await run({ ...options, only });
  expect(report.results.map(({ outcome }) => outcome)).toEqual(only.map(() => 'pass'));
  expect(report.leftBehind).toEqual([]);
  expect(report.waits?.times).toBeGreaterThan(0);
  expect(report.waits?.duration).toBeGreaterThan(900);
  expect((await mock.world(options.apiKey)).streams()).toEqual([]);
});

test('a report says how long a service that limits requests made the run wait, and what avoids it', () => {
  const report = { ...conformant, waits: { times: 3, duration: 27_400 } };
  const { notes } = sectionsOf(report);
  expect(notes.find(({ id }) => id === 'waited')?.texts).toEqual([
    'The run waited 27.4 s, as the target asked 3 times (429, or 503 with Retry-After). With --rate N, it sends at most N requests a second.',
  ]);
});

test('a service may say by a date when to ask again', async () => {
  const { options, times } = limitedTo(1_000);
  const begin = performance.now();
  const date = 'Sun, 29 Nov 2026 12:00:00 GMT';
  const headers = { date, 'retry-after': 'Sun, 29 Nov 2026 12:00:02 GMT' };
  let refused = 0;
  const send = async (request: Request): Promise<Response> =>
    ++refused === 1 ? new Response(null, { status: 429, headers }) : options.send(request);
  await run({ ...options, send, only: ['CREATE-1'] });
  expect((times[0] ?? 0) - begin).toBeGreaterThan(1_900);
});

test('at most as many requests a second are sent as an option says', async () => {
  const { options, times } = limitedTo(1_000);
  await run({ ...options, rate: 20, only: ['CREATE-1', 'RECORD-1'] });
  expect(times.length).toBeGreaterThan(6);
  const [first = 0] = times;
  // The last of them may be late, but not early.
  expect((times.at(-1) ?? 0) - first).toBeGreaterThan((times.length - 2) * 50);
});
