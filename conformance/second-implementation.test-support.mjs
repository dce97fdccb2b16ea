// Another implementation of the interface, in plain Node, written from its specification alone: the
// three operations, a control API to go live by, and nothing that the specification leaves open.
// Where it leaves a choice, this one chooses otherwise than the mock does.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Milliseconds from the end of a session until its recording is ready. */
const readyAfter = 150;
/** Sessions on a page of a list. */
const page = 1;

/**
 * Serves it until it is closed. `folder` has `source.mp4`, and HLS playlists of renditions of
 * 1280x720 and 640x360, `source/index.m3u8` and `low/index.m3u8`.
 */
export async function serveSecondImplementation({ folder, seconds, apiKey }) {
  const streams = new Map();
  const sessions = [];
  const media = await listen((request, response) => serveMedia(folder, request, response));

  const show = ({ endedAt, ...session }) => {
    if (!session.record || endedAt === undefined) return { ...session, recordingStatus: 'none' };
    if (Date.now() < endedAt + readyAfter) return { ...session, recordingStatus: 'processing' };
    const address = `${media.origin}/go/${session.profiles.length > 0 ? 'ladder' : 'source'}`;
    return {
      ...session,
      recordingStatus: 'ready',
      sourceSegmentsDuration: seconds,
      recordingUrl: `${address}/index.m3u8`,
      mp4URL: `${address}/source.mp4`,
    };
  };

  const routes = {
    'POST /v0/stream'({ body }) {
      const { name, profiles } = body ?? {};
      if (typeof name !== 'string') return refuse(409, 'name');
      if (profiles !== undefined && !isLadder(profiles)) return refuse(409, 'profiles');
      const created = {
        playbackId: `pb_${randomBytes(6).toString('base64url')}`,
        streamKey: randomBytes(8)
          .toString('hex')
          .toUpperCase()
          .replace(/(.{4})(?!$)/g, '$1-'),
        createdAt: Date.now(),
        ...(profiles && { profiles }),
        name,
        id: randomUUID().toUpperCase(),
        $further: { keys: [null, 1.5e3] },
      };
      streams.set(created.id, { ...created, record: false });
      return { status: 201, body: created };
    },
    'PATCH /v0/stream/:id/record'({ id, body }) {
      if (sessions.some((session) => session.id === id)) return refuse(403, 'a session');
      if (!streams.has(id)) return refuse(410, 'no such stream');
      if (typeof body?.record !== 'boolean') return refuse(422, 'record');
      streams.get(id).record = body.record;
      return { status: 204 };
    },
    'GET /v0/stream/:id/sessions'({ id, query }) {
      if (!streams.has(id)) return refuse(410, 'no such stream');
      const recorded = query.get('record') === '1';
      const all = sessions.filter((one) => one.parentId === id && (one.record || !recorded));
      const from = Number(query.get('from') ?? 0);
      const link = `</>; rel="up", <?record=1&from=${from + page}>; title="more, more"; rel=next`;
      const body = all.slice(from, from + page).map(show);
      return { status: 200, body, headers: from + page < all.length ? { link } : {} };
    },
    'POST /control/streams/:id/start'({ id, body }) {
      const { record, profiles = [] } = streams.get(id) ?? {};
      if (record === undefined) return refuse(404, 'no such stream');
      const identity = { id: `${sessions.length + 1}/live~é`, parentId: id };
      const endedAt = body?.duration === undefined ? undefined : Date.now();
      sessions.push({ ...identity, record, createdAt: Date.now(), profiles, endedAt });
      return { status: 201, body: show(sessions.at(-1)) };
    },
    'POST /control/streams/:id/stop'({ id }) {
      const session = sessions.find((one) => one.parentId === id && one.endedAt === undefined);
      if (session === undefined) return refuse(404, 'not live');
      session.endedAt = Date.now();
      return { status: 200, body: show(session) };
    },
  };

  const api = await listen(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { status, body, headers } =
      request.headers.authorization === `Bearer ${apiKey}`
        ? route(routes, request, text)
        : refuse(403, 'key');
    const isText = typeof body === 'string';
    const type = isText ? 'text/html' : 'application/json; charset=UTF-8';
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers });
    response.end(isText || body === undefined ? body : JSON.stringify(body));
  });

  const close = () => {
    api.close();
    media.close();
  };
  return { baseUrl: `${api.origin}/v0`, controlUrl: `${api.origin}/control`, close };
}

function route(routes, { method, url }, text) {
  const { pathname, searchParams: query } = new URL(url, 'http://any');
  const [, area, kind, id, rest] = pathname.split('/');
  const key = `${method} /${[area, kind, id && ':id', rest].filter(Boolean).join('/')}`;
  // A web application answers all other requests.
  const page = { status: method === 'GET' ? 200 : 405, body: '<!doctype html><title>App</title>' };
  if (!Object.hasOwn(routes, key)) return page;
  try {
    const body = text === '' ? undefined : JSON.parse(text);
    return routes[key]({ id: id && decodeURIComponent(id), query, body });
  } catch {
    return refuse(418, 'JSON');
  }
}

function refuse(status, why) {
  return { status, body: `no: ${why}\n` };
}

function isLadder(profiles) {
  const numbers = ['bitrate', 'fps', 'width', 'height'];
  const isProfile = (one) =>
    typeof one?.name === 'string' && numbers.every((key) => Number.isInteger(one[key]));
  return Array.isArray(profiles) && profiles.every(isProfile);
}

const ladder = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720
../source/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360
../low/index.m3u8
`;

/** Serves media at another origin, without a key, behind a redirect. */
async function serveMedia(folder, { url }, response) {
  const [, place, kind, name] = url.split('/');
  if (place === 'go') return response.writeHead(302, { location: `/v/${kind}/${name}` }).end();
  if (kind === 'ladder' && name === 'index.m3u8') return response.end(ladder);
  const bytes = await readFile(join(folder, name.endsWith('.mp4') ? '.' : kind, name)).catch(
    () => undefined,
  );
  return response.writeHead(bytes ? 200 : 410).end(bytes);
}

async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
