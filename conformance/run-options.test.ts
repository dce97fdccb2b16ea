import { expect, test } from 'vitest';
import { serveMock, serveProxy } from '../target/servers.test-support.ts';
import { requirements } from './checks/catalogue.ts';
import { parseDeviations } from './run/deviations.ts';
import { exitStatus } from './run/verdict.ts';
import { type RunOptions, run } from './run-suite.ts';

const quick = { apiKey: 'test-run', patience: 500 };

const readOnlyLive = { readOnly: true, provider: { controlUrl: 'http://a.test' } };

const rows: [options: Partial<RunOptions>, message: RegExp][] = [
  [{ only: [] }, /^only: expected at least one requirement/],
  [{ only: ['CREATE-1', 'X-1'] }, /^only: expected the id of a requirement, got "X-1"; /],
  [{ only: ['CREATE-17'], level: 'must' }, /level must/],
  [{ only: ['CREATE-1'], areas: ['list'] }, /^only: .* of CREATE-1 .* in list, got none/],
  [{ baseUrl: 'localhost:4100' }, /^baseUrl: expected an http or https/],
  [{ baseUrl: 'file:///etc' }, /^baseUrl/],
  [{ baseUrl: 'http://a@b.test' }, /without a user name/],
  [{ apiKey: 'a\r\nx: y' }, /^apiKey: expected a key of visible ASCII characters$/],
  [{ timeout: 0 }, /^timeout: expected a whole number of milliseconds from 1 to \d+/],
  // It would overflow a timer.
  [{ timeout: 2 ** 31 }, /^timeout/],
  [{ patience: 0 }, /^patience: expected a whole number of milliseconds/],
  [{ concurrency: 0 }, /^concurrency/],
  [{ areas: ['lists'] as never }, /^areas: expected some of create, /],
  [{ areas: [] }, /^level: .* at level observe .* got none/],
  [{ waitFor: -1 }, /^waitFor: expected a whole number of milliseconds from 0 to/],
  [readOnlyLive, /^readOnly: expected recorded sessions only/],
  [{ provider: { controlUrl: '/_mock' } }, /^controlUrl/],
];
test.each(rows)(
  'a run with the options %j is refused in one sentence',
  async (options, message) => {
    const judged = run({ ...quick, baseUrl: 'http://a.test', ...options });
    await expect(judged).rejects.toThrow(TypeError);
    await expect(judged).rejects.toThrow(message);
  },
);

test('what the owner declares about a target is in the report, and decides the exit status', async () => {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, async (request) => {
    if (request.method !== 'PATCH') return undefined;
    const response = await mock.fetch(request);
    return response.ok ? new Response(null, { status: 200 }) : response;
  });
  const judge = (entries: object, ...only: string[]) => {
    const deviations = parseDeviations(JSON.stringify(entries), requirements);
    return run({ ...quick, baseUrl: proxy.baseUrl, only, deviations });
  };
  const ids = ['RECORD-1', 'RECORD-2', 'RECORD-3'];
  const known = { reason: 'It answers 200.', expires: '2999-01-01' };
  const deviations = ids.slice(0, 2).map((requirement) => ({ requirement, ...known }));
  const expected = await judge({ deviations }, ...ids);
  expect([expected.verdict, exitStatus(expected)]).toEqual(['conformant-with-deviations', 0]);
  expect(expected.results[0]?.deviation?.reason).toBe('It answers 200.');

  const before = proxy.received.length;
  const inapplicable = [{ requirement: 'RECORD-1', reason: 'It is not offered.' }];
  const [result] = (await judge({ inapplicable }, 'RECORD-1')).results;
  expect(result).toMatchObject({ outcome: 'inapplicable', message: 'It is not offered.' });
  // Only the first requests were sent: they listed what exists, and created two streams, which were deleted again. Then the
  // run looked whether one of them is gone.
  const sent = proxy.received.slice(before).map(({ method }) => method);
  expect(sent).toEqual(['GET', 'GET', 'GET', 'POST', 'POST', 'DELETE', 'DELETE', 'GET']);
});
