import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { Report } from './model/report.ts';
import { run } from './run.ts';
import { serveHttp, serveRaw } from './servers.test-support.ts';

/** Content of another host that a target may point to; readers of a report must not see it. */
const secret = 'iam-role-4f1c';
const headers = { server: secret, 'set-cookie': secret, 'x-token': secret };

/** The addresses of a recording, below the target's origin and below another's. */
interface Place {
  readonly recordingUrl: string;
  readonly mp4URL: string;
}

const places: readonly { by: string; place: (near: string, far: string) => Place }[] = [
  {
    by: 'recordingUrl and mp4URL',
    place: (_, far) => ({ recordingUrl: `${far}/text`, mp4URL: `${far}/text` }),
  },
  {
    by: 'a redirect',
    place: (near) => ({ recordingUrl: `${near}/to/text`, mp4URL: `${near}/to/text` }),
  },
  {
    by: 'a URI of a playlist',
    place: (near) => ({ recordingUrl: `${near}/far.m3u8`, mp4URL: `${near}/a` }),
  },
  {
    by: 'a missing file',
    place: (_, far) => ({ recordingUrl: `${far}/404`, mp4URL: `${far}/401` }),
  },
  {
    by: 'a broken playlist',
    place: (_, far) => ({ recordingUrl: `${far}/broken`, mp4URL: `${far}/cut` }),
  },
  {
    by: 'a playlist of names',
    place: (_, far) => ({ recordingUrl: `${far}/names`, mp4URL: `${far}/moved` }),
  },
  {
    by: 'a multivariant playlist of names',
    place: (_, far) => ({ recordingUrl: `${far}/choice`, mp4URL: `${far}/ftp` }),
  },
  {
    by: 'a multivariant playlist of itself',
    place: (_, far) => ({ recordingUrl: `${far}/self`, mp4URL: `${far}/circle` }),
  },
];

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

test.each(places)(
  'nothing of another origin is quoted if the suite gets there by $by',
  async ({ place }) => {
    const other = await serveHttp((request, out) => far[pathOf(request.url)]?.(request, out));
    const report = await judge((near) => place(near, other.origin), other.origin);
    const media = report.results.filter(({ area }) => area === 'media');
    expect(media.filter(({ outcome }) => outcome === 'fail').length).toBeGreaterThan(0);
    expect(other.received.length).toBeGreaterThan(0);
    expect(JSON.stringify(report)).not.toContain(secret);
  },
);

test('nothing is quoted of another origin that does not speak HTTP', async () => {
  const { origin } = await serveRaw((socket) => socket.end(`220 ${secret}\r\n`));
  const report = await judge(() => ({ recordingUrl: origin, mp4URL: origin }), origin);
  expect(JSON.stringify(report)).not.toContain(secret);
});

test('a message names a file of another origin by the place of its address', async () => {
  const other = await serveHttp((request, out) => far[pathOf(request.url)]?.(request, out));
  const { results } = await judge(
    () => ({ recordingUrl: `${other.origin}/names`, mp4URL: `${other.origin}/moved` }),
    other.origin,
  );
  const segment = results.find(({ id }) => id === 'MEDIA-2');
  expect(segment?.message).toBe(`segment 1 of ${other.origin}/names: expected status 200, got 404`);
  expect(segment?.evidence[0]).toMatchObject({
    curl: `# GET segment 1 of ${other.origin}/names`,
    status: 404,
  });
  expect(segment?.evidence[0]).not.toHaveProperty('body');
});

/** Judges a target with a recording at the given addresses. */
async function judge(place: (near: string) => Place, other: string): Promise<Report> {
  const { origin } = await serveHttp(({ url = '', method }, out) => {
    if (url.startsWith('/to/')) return out.writeHead(302, { location: other + url.slice(3) }).end();
    if (url === '/far.m3u8') {
      return out.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${other}/text\n`);
    }
    const session = { id: 's', parentId: 'p', recordingStatus: 'ready', sourceSegmentsDuration: 8 };
    const body = url.includes('/sessions') ? [{ ...session, ...place(origin) }] : { id: 'p' };
    return out.writeHead(method === 'POST' ? 201 : 200).end(JSON.stringify(body));
  });
  const provider = { recordedStream: 'p' };
  return run({
    baseUrl: origin,
    apiKey: 'test-foreign',
    provider,
    readOnly: true,
    patience: 1,
    timeout: 2_000,
  });
}

function pathOf(url = ''): string {
  return url.replace(/\?.*/, '');
}
