import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
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

test('what a reset has removed from the journal is reported', async () => {
  const { reports, url } = await takeReports();
  withEnvironment({ LIVESTREAM_EVIDENCE_URL: url });
  const { mock, world, report } = await createTestMock({});
  await mock.fetch(new Request(lists, { headers }));
  await world.reset();
  await report();
  expect(reports).toMatchObject([{ requests: [{ operation: 'listStreams' }] }]);
});

test('a plain mock reports what the app sent', async () => {
  const { reports, url } = await takeReports();
  withEnvironment({ LIVESTREAM_EVIDENCE_URL: url });
  const { mock, report } = await createTestMock({});
  await mock.fetch(new Request(lists, { headers }));
  await report();
  expect(reports).toMatchObject([{ evidence: { variant: '', compared: 0 }, requests: [{}] }]);
});

/** Gives a dialect, as `livestream-mock check-client --dialect` does. */
async function giveDialect(dialect: Dialect): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(dialect)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

const acme: Dialect = {
  dialect: 3,
  name: 'Acme',
  errors: { retrieveStream: { id: { unknown: 410 } } },
  behaviours: { 'time.ready': 60_000 },
};

test('a test meets the dialect of check-client, and reports what it changed', async () => {
  const { reports, url } = await takeReports();
  withEnvironment({
    LIVESTREAM_DIALECT_URL: await giveDialect(acme),
    LIVESTREAM_EVIDENCE_URL: url,
  });
  const { mock, world, report } = await createTestMock({});
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  await world.start(id, { duration: 10 });
  await mock.fetch(new Request(lists, { headers }));
  const unknown = `${lists}/${crypto.randomUUID()}`;
  expect((await mock.fetch(new Request(unknown, { headers }))).status).toBe(410);
  await mock.fetch(new Request(`${lists}/${id}/sessions`, { headers }));
  world.clock.advance('1s');
  const sessions = await mock.fetch(new Request(`${lists}/${id}/sessions`, { headers }));
  expect(await sessions.json()).toMatchObject([{ recordingStatus: 'waiting' }]);
  await report();
  expect(reports).toMatchObject([
    { evidence: { variant: '', compared: 4, changed: { dialect: 2 } } },
  ]);
  expect(reports[0]?.requests).toHaveLength(4);
});

test('the dialect of a test comes before that of check-client', async () => {
  withEnvironment({ LIVESTREAM_DIALECT_URL: await giveDialect(acme) });
  const { mock } = await createTestMock({ dialect: { dialect: 3, name: 'own' } });
  expect(mock.dialect?.name).toBe('own');
});

test('if nobody gives the dialect, every test fails', async () => {
  withEnvironment({ LIVESTREAM_DIALECT_URL: 'http://127.0.0.1:1/' });
  await expect(createTestMock({})).rejects.toThrow(
    'LIVESTREAM_DIALECT_URL: expected a dialect at http://127.0.0.1:1/',
  );
});

test('the option of a test comes before the environment', async () => {
  withEnvironment({ LIVESTREAM_VARIANT: 'oldest-first' });
  expect((await createTestMock({ variant: 'pages-of-one' })).mock.variant).toBe('pages-of-one');
});

test('an empty variant keeps a test to the plain mock', async () => {
  withEnvironment({ LIVESTREAM_VARIANT: 'oldest-first' });
  expect((await createTestMock({ variant: '' })).mock.variant).toBeUndefined();
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
