import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchMemory } from '../target/memory.test-support.ts';
import { serveHttp } from '../target/servers.test-support.ts';
import { serveHostile } from '../tools/hostile-targets.test-support.ts';
import type { Report } from './model/report.ts';
import { run } from './run-suite.ts';

const json = { 'content-type': 'application/json' };

/** What a target may satisfy by statuses alone: it creates streams and refuses wrong keys. */
const byStatus: readonly string[] = ['CREATE-1', 'AUTH-1', 'AUTH-4'];

test.each<[does: string, passes: readonly string[]]>([
  ['answers with HTML', byStatus],
  ['answers with null', byStatus],
  ['answers with lists too deep', [...byStatus, 'CREATE-13']],
])(
  'a run of a target that %s ends, passes nothing by mistake, and never says conformant',
  async (does, passes) => {
    const { origin, controlUrl } = await serveHostile(does);
    const report = await judge(origin, { provider: { controlUrl } });
    const passed = report.results.filter(
      ({ id, outcome }) => outcome === 'pass' && !passes.includes(id),
    );
    expect(passed.map(({ id }) => id)).toEqual([]);
    expect(report.verdict).not.toBe('conformant');
    expect(report.reasons.length).toBeGreaterThan(0);
    expectReadable(report);
  },
);

test.each([
  ['dots', '..'],
  ['empty', ''],
  ['half a character', '\ud800'],
  ['paths', '../../admin?x=1#y'],
  ['header lines', 'a\r\nx-injected: 1\r\n\r\nGET /evil HTTP/1.1'],
  ['100,000 characters', 'a'.repeat(100_000)],
])('no request leaves the path of its operation if ids are %s', async (_, id) => {
  const { origin, received } = await serveHttp(acceptAll(id));
  const report = await judge(origin);
  expect(report.verdict).toBe('nonconformant');
  expectReadable(report);
  const paths = received.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`);
  const known =
    /^(POST \/api\/stream|GET \/api\/(stream|session)|PUT \/api\/stream|(GET|PATCH|PUT|POST|DELETE) \/api\/stream\/[^/]+|PATCH \/api\/stream\/[^/]+\/record|(GET|HEAD|OPTIONS) \/api\/stream\/[^/]+\/sessions|POST \/control\/streams\/[^/]+\/(start|stop)|GET \/(a\.mp4|index\.m3u8))$/;
  expect(paths.filter((path) => !known.test(path))).toEqual([]);
  expect(received.filter(({ headers }) => 'x-injected' in headers)).toEqual([]);
});

/** A given stream: media is judged, not lists. */
const given = { provider: { recordedStream: 'a' } };

const head = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n';
const one = `${head}#EXTINF:1,\n0.ts\n`;
const segments = (length: number): string =>
  head + Array.from({ length }, (_, i) => `#EXTINF:1,\n${i}.ts\n`).join('');
const renditions = Array.from(
  { length: 21 },
  (_, i) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${i}.m3u8\n`,
);

test.each([
  [`#EXTM3U\n${renditions.join('')}`, 'MEDIA-2 fetched 20 of 21 renditions'],
  [segments(201), expect.stringMatching(/^MEDIA-2 fetched 200 of 201 segments of http/)],
])('a run fetches a limited part of a long playlist, and says so', async (playlist, says) => {
  const { origin } = await serveHttp((request, response) => {
    const { url = '' } = request;
    if (url.endsWith('.ts')) return response.end('G'.padEnd(188));
    if (!url.endsWith('.m3u8')) return acceptAll('a')(request, response);
    return response.end(url.endsWith('/index.m3u8') ? playlist : one);
  });
  const report = await judge(origin, { ...given, only: ['MEDIA-2'], timeout: 5_000 });
  expect(report.results[0]?.observations).toEqual([says]);
});

test('a run ends even if every file takes long to fetch', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const recordingUrl = 'http://a.test/index.m3u8';
  let sent = 0;
  const report = await run({
    ...given,
    baseUrl: 'http://a.test/api',
    apiKey: 'test-hostile',
    only: ['MEDIA-2'],
    timeout: 1_000,
    async send({ url }) {
      sent += 1;
      // Each arrives within its time limit, but all of them together take too long.
      await vi.advanceTimersByTimeAsync(500);
      if (url.endsWith('.m3u8')) return new Response(segments(200));
      if (url.endsWith('.ts')) return new Response('G'.padEnd(188));
      return Response.json([{ id: 'a', recordingStatus: 'ready', recordingUrl }]);
    },
  });
  expect(report.results.map(({ outcome }) => outcome)).toEqual(['error']);
  expect(report.results[0]?.message).toMatch(/at most 30000 ms, got more; .* raise --timeout/);
  expect(sent).toBeLessThan(100);
});

test('an MP4 of 250 MiB takes little memory', async () => {
  const mebibyte = new Uint8Array(1024 * 1024);
  const boxes = Buffer.from('\0\0\0\x08ftyp\x10\0\0\0mdat', 'latin1');
  const { origin } = await serveHttp((request, response) => {
    if (!request.url?.endsWith('.mp4')) return acceptAll('a')(request, response);
    Readable.from([boxes, ...new Array<Uint8Array>(250).fill(mebibyte)]).pipe(response);
  });
  const memory = watchMemory();
  const report = await judge(origin, { ...given, only: ['MEDIA-6'], timeout: 60_000 });
  expect(report.results[0]?.message).toMatch(/whole file of at least \d+ bytes, got 262144016/);
  // What was read and is not needed any more may stay until memory is next collected.
  expect(memory.most()).toBeLessThan(175 * mebibyte.length);
}, 120_000);

test('a run reads no more than 4 MiB of a list, whatever its number of pages', async () => {
  const page = JSON.stringify([{ id: 'a'.repeat(1_000_000) }]);
  const { origin, received } = await serveHttp((request, response) => {
    if (request.method !== 'GET') return acceptAll('0-a')(request, response);
    response.writeHead(200, { ...json, link: '<?page=2>; rel="next"' }).end(page);
  });
  const provider = { recordedStream: 'a' };
  await judge(origin, { only: ['LIST-2'], timeout: 5_000, patience: 1, provider });
  // A few lists of at most five pages, and a few other requests.
  expect(received.length).toBeLessThan(15);
});

function judge(origin: string, more: object = {}): Promise<Report> {
  return run({
    baseUrl: `${origin}/api`,
    apiKey: 'test-hostile',
    provider: { controlUrl: `${origin}/control` },
    timeout: 1_000,
    patience: 50,
    concurrency: 24,
    ...more,
  });
}

/** Each message is a readable sentence, and the whole report has a limited size. */
function expectReadable(report: Report): void {
  expect(JSON.stringify(report).length).toBeLessThan(4_000_000);
  for (const { id, outcome, message } of report.results) {
    if (outcome === 'pass' || outcome === 'noted') continue;
    expect(message, id).toMatch(/^.{10,2000}$/s);
    expect(message, id).not.toMatch(
      /call stack|is not a function|(?<!")undefined|\[object|URI malformed/,
    );
  }
}

/** Accepts everything, gives all streams and sessions one id, and says that a recording is ready. */
function acceptAll(id: string): RequestListener {
  return ({ method, url = '', headers }, response) => {
    const origin = `http://${headers.host}`;
    const session = {
      id,
      parentId: id,
      record: true,
      recordingStatus: 'ready',
      sourceSegmentsDuration: 8,
      recordingUrl: `${origin}/index.m3u8`,
      mp4URL: `${origin}/a.mp4`,
      createdAt: 1,
    };
    if (url.endsWith('/start')) return response.writeHead(201, json).end(JSON.stringify(session));
    if (method === 'PATCH' || method === 'DELETE') return response.writeHead(204).end();
    const body = url.includes('/sessions') ? [session] : session;
    return response.writeHead(method === 'POST' ? 201 : 200, json).end(JSON.stringify(body));
  };
}
