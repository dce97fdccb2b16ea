import { expect, test } from 'vitest';
import { nearKeys } from '../target/requests/near-keys.ts';
import { serveHttp, serveMock, serveProxy } from '../target/servers.test-support.ts';
import { requirements } from './checks/catalogue.ts';
import { exitStatus } from './run/verdict.ts';
import { run } from './run-suite.ts';

const apiKey = 'test-run';
const quick = { apiKey, patience: 500 };

test('the mock is conformant, everything that was created is deleted, and untested requirements are listed', async () => {
  const { mock, baseUrl, controlUrl } = await serveMock();
  const report = await run({ ...quick, baseUrl, provider: { controlUrl } });
  expect(report).toMatchObject({ verdict: 'conformant', reasons: [], leftBehind: [] });
  expect((await mock.world(apiKey)).streams()).toEqual([]);
  const untestable = report.results.filter(({ outcome }) => outcome === 'untestable');
  expect(untestable.map(({ id }) => id)).toEqual(['RECORD-17']);
  const open = report.results.filter(
    ({ level, outcome }) => level !== 'observe' && outcome !== 'pass',
  );
  expect(open).toEqual(untestable);
  expect(report.results.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
});

test('a run is incomplete if its target dies', async () => {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, () => {
    if (proxy.received.length > 60) proxy.close();
    return undefined;
  });
  const report = await run({ ...quick, baseUrl: proxy.baseUrl });
  expect(report.verdict).toBe('incomplete');
  const asked = '(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /\\S+';
  expect(report.reasons).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^the target stopped responding: the last request that it answered was ${asked}, and the first that it did not answer was ${asked}$`,
      ),
    ),
  );
  expect(report.results.some(({ outcome }) => outcome === 'pass')).toBe(true);
  expect(report.results.some(({ outcome }) => outcome === 'error')).toBe(true);
  expect(report.leftBehind.length).toBeGreaterThan(0);
});

test('a read-only run sends only GET requests and no near key, and lists what it did not test', async () => {
  const { mock } = await serveMock();
  const stream = await (await mock.world(apiKey)).createStream({ name: 'given', record: true });
  const proxy = await serveProxy({ mock }, () => undefined);
  const provider = { recordedStream: stream.id };
  const report = await run({ ...quick, baseUrl: proxy.baseUrl, provider, readOnly: true });
  expect(proxy.received.length).toBeGreaterThan(0);
  expect(new Set(proxy.received.map(({ method }) => method))).toEqual(new Set(['GET']));
  const sent = proxy.received.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
  expect(Object.values(nearKeys(apiKey)).filter((key) => sent.includes(key))).toEqual([]);
  expect(report).toMatchObject({ verdict: 'incomplete', readOnly: true, leftBehind: [] });
  const reasons = report.reasons.join('\n');
  expect(reasons).toMatch(/untested: it writes to the target, which --read-only rules out/);
  expect(reasons).not.toMatch(/--control-url|--ingest-command|--manual/);
  const passed = report.results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['AUTH-3', 'AUTH-6']));
});

test('a run lists the streams and sessions that remain on the target, each once', async () => {
  const { mock } = await serveMock();
  const { baseUrl, controlUrl } = await serveProxy({ mock }, ({ method }) =>
    method === 'DELETE' ? new Response(null, { status: 405 }) : undefined,
  );
  const only = ['LIST-2'];
  const { leftBehind } = await run({ ...quick, baseUrl, provider: { controlUrl }, only });
  const world = await mock.world(apiKey);
  expect(world.sessions().length).toBeGreaterThan(4);
  const lines = [
    ...world.streams().map(({ id }) => `stream ${id}`),
    ...world.sessions().map(({ id, parentId }) => `session ${id} of stream ${parentId}`),
  ];
  expect([...leftBehind].sort()).toEqual(lines.sort());
});

test('a run of some areas and levels judges only those, and the report names the areas', async () => {
  const { baseUrl } = await serveMock();
  const areas = ['create', 'record', 'authentication'] as const;
  const report = await run({ ...quick, baseUrl, areas, level: 'must' });
  expect(report).toMatchObject({ verdict: 'conformant', areas, reasons: [] });
  expect(exitStatus(report)).toBe(0);
  expect(new Set(report.results.map(({ area }) => area))).toEqual(new Set(areas));
  expect(new Set(report.results.map(({ level }) => level))).toEqual(new Set(['must']));
});

test.each([1, 3])('a run has at most %i checks under way', async (concurrency) => {
  let underWay = 0;
  let most = 0;
  const { mock } = await serveMock();
  const report = await run({
    ...quick,
    baseUrl: 'http://livestream.test/api',
    concurrency,
    // The checks of this area send one request after another.
    areas: ['record'],
    async send(request) {
      if (request.method === 'DELETE') return mock.fetch(request);
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        await new Promise((resolve) => setImmediate(resolve));
        return await mock.fetch(request);
      } finally {
        underWay -= 1;
      }
    },
  });
  expect(report.verdict).toBe('conformant');
  expect(most).toBe(concurrency);
});

test('progress is reported once for each requirement', async () => {
  const { baseUrl } = await serveMock();
  const progress: [number, number, string][] = [];
  const only = ['CREATE-1', 'CREATE-2', 'RECORD-17', 'LIST-1'];
  await run({ ...quick, baseUrl, only, onProgress: (...args) => progress.push(args) });
  expect(progress.map(([done]) => done)).toEqual([1, 2, 3, 4]);
  expect(new Set(progress.map(([, total]) => total))).toEqual(new Set([4]));
  expect(progress.map(([, , id]) => id).sort()).toEqual([...only].sort());
});

test('the key goes only to the origin of the base URL', async () => {
  const { mock } = await serveMock();
  const elsewhere = await serveHttp(({ url = '', headers }, out) =>
    out.writeHead(302, { location: `http://${headers.host}${url}/on` }).end(),
  );
  const proxy = await serveProxy({ mock }, async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'PATCH') return Response.redirect(`${elsewhere.origin}/redirected`, 307);
    if (!pathname.endsWith('/sessions')) return undefined;
    const session = {
      id: 's',
      recordingStatus: 'ready',
      recordingUrl: `${elsewhere.origin}/index.m3u8`,
      mp4URL: `${elsewhere.origin}/a.mp4`,
    };
    return Response.json([session], { headers: { link: `<${elsewhere.origin}/?a>; rel="next"` } });
  });
  const { controlUrl } = await serveMock();
  for (const provider of [{ recordedStream: 'x' }, { controlUrl }]) {
    await run({ ...quick, baseUrl: proxy.baseUrl, provider });
  }
  const urls = new Set(elsewhere.received.map(({ url }) => url));
  expect(urls).toContain('/index.m3u8');
  expect(urls).toContain('/a.mp4');
  expect(urls).not.toContain('/redirected');
  expect(JSON.stringify(elsewhere.received)).not.toContain(apiKey);
  expect(proxy.received.some(({ url }) => url.endsWith('/sessions?a'))).toBe(true);
});
