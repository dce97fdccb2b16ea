import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EvidenceReport } from '../journal/evidence.ts';
import { createMock } from '../mock.ts';
import { handlers } from './msw.ts';
import { createTestMock } from './test-mock.ts';

/** A server that takes reports, as `livestream-mock check-client` does. */
async function takeReports() {
  const reports: EvidenceReport[] = [];
  const server = createServer(async (request, response) => {
    reports.push(JSON.parse(await text(request)));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { reports, url: `http://127.0.0.1:${port}/` };
}

function withEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const headers = { authorization: 'Bearer test-demo' };
const lists = 'http://127.0.0.1:4100/api/stream';

test('a test reports what its variant changed, and each request once', async () => {
  const { reports, url } = await takeReports();
  withEnvironment({ LIVESTREAM_VARIANT: 'oldest-first', LIVESTREAM_EVIDENCE_URL: url });
  const { mock, world, report } = await createTestMock({});
  await world.createStream({ name: 'Harbour camera' });
  await mock.fetch(new Request(lists, { headers }));
  world.clock.advance('1h');
  await world.createStream({ name: 'Town council' });
  await mock.fetch(new Request(lists, { headers }));
  await report();
  await mock.fetch(new Request(lists, { headers }));
  await report();
  expect(reports).toMatchObject([
    {
      evidence: { variant: 'oldest-first', compared: 2, changed: { 'oldest-first': 1 } },
      requests: [{ number: 1, operation: 'listStreams' }, { number: 2 }],
      archive: { log: { version: '1.2' } },
    },
    { evidence: { compared: 3, changed: { 'oldest-first': 2 } }, requests: [{ number: 3 }] },
  ]);
  expect(reports[0]?.mock).toBe(reports[1]?.mock);
});

test('a plain mock reports what the app sent', async () => {
  const { reports, url } = await takeReports();
  withEnvironment({ LIVESTREAM_EVIDENCE_URL: url });
  const { mock, report } = await createTestMock({});
  await mock.fetch(new Request(lists, { headers }));
  await report();
  expect(reports).toMatchObject([{ evidence: { variant: '', compared: 0 }, requests: [{}] }]);
});

test('the option of a test comes before the environment', async () => {
  withEnvironment({ LIVESTREAM_VARIANT: 'oldest-first' });
  expect((await createTestMock({ variant: 'pages-of-one' })).mock.variant).toBe('pages-of-one');
});

test('an unknown variant in the environment fails a test', async () => {
  withEnvironment({ LIVESTREAM_VARIANT: 'newest' });
  await expect(createTestMock({})).rejects.toThrow('variant: expected the name of a variant');
});

test('if nobody takes a report, its test fails', async () => {
  withEnvironment({ LIVESTREAM_EVIDENCE_URL: 'http://127.0.0.1:1/' });
  const { mock, report } = await createTestMock({});
  await mock.fetch(new Request(lists, { headers }));
  await expect(report()).rejects.toThrow('LIVESTREAM_EVIDENCE_URL: expected http://127.0.0.1:1/');
});

test('handlers of MSW report after every response, even if other requests are errors', async () => {
  const { reports, url } = await takeReports();
  const mock = createMock({ variant: 'oldest-first' });
  const server = setupServer(...handlers(mock, { evidenceUrl: url }));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  for (const expected of [1, 2]) {
    expect((await fetch(lists, { headers })).status).toBe(200);
    expect(reports).toHaveLength(expected);
  }
  expect(reports.map(({ requests }) => requests.map(({ number }) => number))).toEqual([[1], [2]]);
});
