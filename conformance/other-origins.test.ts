import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { serveHttp, serveRaw, type TestServer } from '../target/servers.test-support.ts';
import type { Report } from './model/report.ts';
import { run } from './run-suite.ts';

/** Content of another host that a target may point to; readers of a report must not see it. */
const secret = 'iam-role-4f1c';
const headers = { server: secret, 'set-cookie': secret, 'x-token': secret };

/** The addresses of a recording: `near` is at the target's origin, `far` at another. */
type Urls = readonly [recordingUrl: string, mp4URL: string];

const far: Record<string, RequestListener> = {
  '/text': (_, out) => out.writeHead(200, secret, headers).end(`${secret}\n{"Token":"${secret}"}`),
  '/404': (_, out) => out.writeHead(404, secret, headers).end(secret),
  '/401': (_, out) => out.writeHead(401, secret, headers).end(secret),
  '/broken': (_, out) =>
    out.writeHead(200, headers).end(`#EXTM3U\n#EXTINF:${secret},\n${secret}\n`),
  '/cut': (_, out) => {
    out.writeHead(200, { ...headers, 'content-length': 1_000 }).write(secret);
    setTimeout(() => out.destroy(), 50);
  },
  '/names': (_, out) => out.end(`#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXTINF:8,\n/404?${secret}\n`),
  '/choice': (_, out) => out.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/404?${secret}\n`),
  '/self': (_, out) => out.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/self?${secret}\n`),
  '/moved': (_, out) => out.writeHead(302, { location: `/404?${secret}` }).end(),
  '/ftp': (_, out) => out.writeHead(302, { location: `ftp://${secret}/` }).end(),
  '/circle': (_, out) => out.writeHead(302, { location: `/circle?${secret}` }).end(),
};

test.each([
  ['recordingUrl and mp4URL', 'far/text', 'far/text'],
  ['a redirect', 'near/to/text', 'near/to/text'],
  ['a URI of a playlist', 'near/far.m3u8', 'near/a'],
  ['a missing file', 'far/404', 'far/401'],
  ['a broken playlist', 'far/broken', 'far/cut'],
  ['a playlist of names', 'far/names', 'far/moved'],
  ['a multivariant playlist of names', 'far/choice', 'far/ftp'],
  ['a multivariant playlist of itself', 'far/self', 'far/circle'],
])('nothing from another origin is quoted if the suite gets there by %s', async (_, ...urls) => {
  const other = await serveFar();
  const report = await judge(urls, other.origin);
  const media = report.results.filter(({ area }) => area === 'media');
  expect(media.filter(({ outcome }) => outcome === 'fail').length).toBeGreaterThan(0);
  expect(other.received.length).toBeGreaterThan(0);
  expect(JSON.stringify(report)).not.toContain(secret);
});

test('nothing is quoted from another origin that does not speak HTTP', async () => {
  const { origin } = await serveRaw((socket) => socket.end(`220 ${secret}\r\n`));
  expect(JSON.stringify(await judge(['far', 'far'], origin))).not.toContain(secret);
});

test('a message names a file at another origin by where its address was found', async () => {
  const other = await serveFar();
  const { results } = await judge(['far/names', 'far/moved'], other.origin);
  const segment = results.find(({ id }) => id === 'MEDIA-2');
  expect(segment?.message).toBe(`segment 1 of ${other.origin}/names: expected status 200, got 404`);
  expect(segment?.evidence[0]).toMatchObject({
    curl: `# GET segment 1 of ${other.origin}/names`,
    status: 404,
  });
  expect(segment?.evidence[0]).not.toHaveProperty('body');
});

/** Judges a target with a recording at the given addresses. */
async function judge(urls: Urls, other: string): Promise<Report> {
  const { origin } = await serveHttp(({ url = '', method }, out) => {
    if (url.startsWith('/to/')) return out.writeHead(302, { location: other + url.slice(3) }).end();
    if (url === '/far.m3u8') {
      return out.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${other}/text\n`);
    }
    const [recordingUrl, mp4URL] = urls.map((address) =>
      address.replace('near', origin).replace(/^far(?!\.)/, other),
    );
    const ready = { recordingStatus: 'ready', sourceSegmentsDuration: 8, recordingUrl, mp4URL };
    const sessions = [{ id: 's', parentId: 'p', ...ready }];
    const body = url.includes('/sessions') ? sessions : { id: 'p' };
    return out.writeHead(method === 'POST' ? 201 : 200).end(JSON.stringify(body));
  });
  const options = { readOnly: true, patience: 1 };
  const provider = { recordedStream: 'p' };
  return run({ baseUrl: origin, apiKey: 'test-foreign', provider, ...options });
}

function serveFar(): Promise<TestServer> {
  return serveHttp((request, out) => {
    const respond = far[request.url?.replace(/\?.*/, '') ?? ''];
    if (respond === undefined) out.writeHead(404).end();
    else respond(request, out);
  });
}
