// Another implementation of the interface, written from its specification alone. It shares nothing with the
// mock: it follows every stated rule, and differs from the mock wherever the interface allows it.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { serveHttp } from '../target/servers.test-support.ts';

const apiKey = 'an-odd/key+of=its.own';
const otherApiKey = 'a-second/key';
/** Seconds that every recording lasts. */
const seconds = 8.24;
/** How often a session is shown after its end before its recording is ready: a time would pass unseen on a busy machine. */
const shownBeforeReady = 2;

/** Refuses with an error object; `field` is the field or query parameter at fault. */
function refuse(status: number, code: string, field?: string): never {
  const message = `The request is refused: ${code.toLowerCase()}.`;
  const error = { status, code, message, details: field === undefined ? {} : { field } };
  const headers = { 'content-type': 'application/vnd.error+json' };
  throw Response.json({ error }, { status, headers });
}

/** Refuses with a line of plain text. */
function refuseInWords(status: number, text: string): never {
  throw new Response(text, { status, headers: { 'content-type': 'text/plain' } });
}

const name = z.string().min(1).max(255);
const flag = z.boolean();
const bitrate = z.int().min(1).max(100_000_000);
const fps = z.int().min(0).max(240);
const size = z.int().min(1).max(4096);
const profile = z.object({ name, bitrate, fps, width: size, height: size });
const profiles = z.array(profile).max(10);
/** Unknown fields of a stream are dropped. */
const streamInput = z.object({ name, record: flag.nullish(), profiles: profiles.nullish() });
const recordInput = z.strictObject({ record: flag });
const startInput = z.object({ duration: z.number().min(0.001).max(86_400) }).optional();

/** The body of a request, read to the end even if it is too large, so that the client sees the answer. */
async function read<Input>(request: IncomingMessage, schema: z.ZodType<Input>): Promise<Input> {
  const bytes = Buffer.concat(await request.toArray());
  if (bytes.length > 65_536) refuseInWords(400, 'The body is larger than 64 KiB.');
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (bytes.length > 0 && type.trim() !== 'application/json') refuse(406, 'CONTENT_TYPE_REFUSED');
  let value: unknown;
  try {
    value = bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
  } catch {
    value = null;
  }
  const { data, error } = schema.safeParse(value, { reportInput: true });
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as Input;
  if (issue.code === 'unrecognized_keys') refuse(412, 'FIELD_UNKNOWN', issue.keys[0]);
  if (bytes.length === 0) refuse(411, 'BODY_MISSING');
  if (issue.path.length === 0) refuse(422, 'BODY_NOT_JSON');
  const field = z.core.toDotPath(issue.path);
  // A null counts as a missing field.
  if (issue.input === undefined || issue.input === null) refuse(400, 'FIELD_MISSING', field);
  return refuse(412, issue.code === 'invalid_type' ? 'FIELD_TYPE' : 'FIELD_RANGE', field);
}

/** A request with a key that is accepted; `records` are in the order in which they were created. */
interface Call {
  readonly records: (Stream | Session)[];
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly owner: string;
  /** The id in the path; empty if the route has none. */
  readonly id: string;
}

type Stream = ReturnType<typeof newStream>;
type Session = ReturnType<typeof newSession>;

/** A stream records by default. */
function newStream(owner: string, { name, record, profiles }: z.infer<typeof streamInput>) {
  return {
    kind: 'stream' as const,
    id: randomUUID() as string,
    owner,
    name,
    record: record ?? true,
    profiles: profiles ?? undefined,
    streamKey: Array.from({ length: 4 }, () => randomBytes(2).toString('hex')).join('-'),
    playbackId: randomBytes(8).toString('hex'),
    createdAt: Date.now(),
    updatedAt: new Date(),
    /** The id of its live session. */
    live: null as string | null,
    deleted: false,
  };
}

function newSession({ owner, id: parentId, record, profiles = [] }: Stream) {
  const id: string = randomUUID();
  const times = { createdAt: Date.now(), endedAt: null as Date | null };
  const shownSinceEnd = 0;
  return {
    kind: 'session' as const,
    id,
    owner,
    parentId,
    record,
    profiles,
    ...times,
    shownSinceEnd,
  };
}

function show(shown: Stream | Session, { url }: Call): object {
  if (shown.kind === 'stream') {
    const { kind: _, owner: __, ...rest } = shown;
    const more = { ingest: { protocol: 'srt', region: 'eu-1' }, description: null };
    return { ...rest, deleted: undefined, live: shown.live !== null, ...more };
  }
  const { kind: _, owner: __, shownSinceEnd, ...rest } = shown;
  const isReady = shown.record && shownSinceEnd >= shownBeforeReady;
  if (shown.endedAt !== null) shown.shownSinceEnd += 1;
  const folder = `${url.origin}/media/${shown.id}`;
  const playlist = shown.profiles.length > 0 ? 'index.m3u8' : 'source/index.m3u8';
  const addresses = { recordingUrl: `${folder}/${playlist}`, mp4URL: `${folder}/source.mp4` };
  const recordingStatus = isReady ? 'ready' : shown.record ? 'processing' : 'disabled';
  const more = { source: { container: 'mpegts' }, archived: false, failure: null };
  const recording = { recordingStatus, ...(isReady && addresses), ...more };
  return { ...rest, ...recording, sourceSegmentsDuration: seconds };
}

/** A page of a list; the cursor of the next one is the id of the last record. */
function pageOf(call: Call, listed: readonly (Stream | Session)[]): Response {
  const { records, url } = call;
  const { cursor, limit = '' } = Object.fromEntries(url.searchParams);
  const before = records.findIndex(({ id }) => btoa(id) === cursor);
  if (cursor !== undefined && before === -1) refuse(416, 'CURSOR_INVALID', 'cursor');
  const rest = listed.filter((one) => records.indexOf(one) > before);
  const page = rest.slice(0, /^[1-9]\d*$/.test(limit) ? Math.min(Number(limit), 20) : 5);
  const response = Response.json(page.map((one) => show(one, call)));
  const last = page.at(-1);
  if (last === undefined || page.length === rest.length) return response;
  const next = new URL(url);
  next.searchParams.set('cursor', btoa(last.id));
  response.headers.set('link', `<${next}>; rel="next"`);
  return response;
}

function requireKnown(call: Call, ...known: readonly string[]): Call {
  const unknown = [...call.url.searchParams.keys()].find((key) => !known.includes(key));
  return unknown === undefined ? call : refuse(400, 'QUERY_UNKNOWN', unknown);
}

function find({ records, id, owner }: Call): Stream | Session {
  const found = records.find((one) => one.id === id);
  if (found === undefined) refuse(404, 'RESOURCE_UNKNOWN');
  return found.owner === owner ? found : refuse(403, 'RESOURCE_FORBIDDEN');
}

function findStream(call: Call, status = 400, code = 'NOT_A_STREAM'): Stream {
  const found = find(call);
  if (found.kind === 'session') refuse(status, code);
  return found.deleted ? refuse(410, 'STREAM_GONE') : found;
}

function findIdle(call: Call): Stream {
  const stream = findStream(call, 423, 'SESSION_READ_ONLY');
  return stream.live === null ? stream : refuse(409, 'STREAM_LIVE');
}

/** Sessions are listed once they have ended. */
function listSessions(call: Call, isListed: (session: Session) => boolean): Response {
  const sessions = call.records.filter((one) => one.kind === 'session');
  const own = sessions.filter(({ owner, endedAt }) => owner === call.owner && endedAt !== null);
  return pageOf(call, own.filter(isListed));
}

type Operation = (call: Call) => Response | Promise<Response>;

const routes: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/v2/stream': {
    GET(call) {
      requireKnown(call, 'limit', 'cursor');
      const streams = call.records.filter((one) => one.kind === 'stream');
      const own = streams.filter(({ owner, deleted }) => owner === call.owner && !deleted);
      return pageOf(call, own);
    },
    async POST(call) {
      const stream = newStream(call.owner, await read(call.request, streamInput));
      call.records.push(stream);
      const location = `${call.url}/${stream.id}`;
      return Response.json(show(stream, call), { status: 201, headers: { location } });
    },
  },
  '/v2/stream/([^/]+)': {
    GET: (call) => Response.json(show(findStream(call), call)),
    DELETE(call) {
      findIdle(call).deleted = true;
      return new Response(null, { status: 204 });
    },
  },
  '/v2/stream/([^/]+)/record': {
    async PATCH(call) {
      const { record } = await read(call.request, recordInput);
      Object.assign(findIdle(call), { record, updatedAt: new Date() });
      return new Response(null, { status: 204 });
    },
  },
  '/v2/stream/([^/]+)/sessions': {
    GET(call) {
      requireKnown(call, 'record', 'limit', 'cursor');
      const filter = call.url.searchParams.get('record') ?? 'false';
      if (!/^([01]|true|false)$/.test(filter)) refuse(400, 'QUERY_INVALID', 'record');
      const { id } = findStream(call);
      const isAll = ['0', 'false'].includes(filter);
      return listSessions(call, (one) => one.parentId === id && (one.record || isAll));
    },
  },
  '/v2/session': {
    GET: (call) => listSessions(requireKnown(call, 'record', 'limit', 'cursor'), () => true),
  },
  '/v2/session/([^/]+)': {
    GET(call) {
      const found = find(call);
      if (found.kind === 'stream') refuse(400, 'NOT_A_SESSION');
      if (found.endedAt === null) refuse(404, 'RESOURCE_UNKNOWN');
      return Response.json(show(found, call));
    },
  },
  '/backdoor/streams/([^/]+)/start': {
    async POST(call) {
      const isOver = (await read(call.request, startInput)) !== undefined;
      const stream = findIdle(call);
      const session = newSession(stream);
      call.records.push(session);
      if (isOver) session.endedAt = new Date();
      else stream.live = session.id;
      return Response.json(show(session, call), { status: 201 });
    },
  },
  '/backdoor/streams/([^/]+)/stop': {
    POST(call) {
      const stream = findStream(call);
      const live = call.records.find(({ id }) => id === stream.live);
      if (live?.kind !== 'session') refuse(409, 'STREAM_IDLE');
      stream.live = null;
      live.endedAt = new Date();
      return Response.json(show(live, call));
    },
  },
};

const multivariantPlaylist = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720
source/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360
low/index.m3u8
`;

/** The order of the steps is the order in which errors are noticed. */
async function answerTo(records: Call['records'], request: IncomingMessage): Promise<Response> {
  const { method = '', headers } = request;
  const url = new URL(`http://${headers.host}${request.url}`);
  if (headers.origin !== undefined) refuseInWords(403, 'Requests from web pages are refused.');
  // The letter case of a path does not matter; a slash at its end does.
  const paths = Object.keys(routes).map((path) => new RegExp(`^${path}$`, 'i').exec(url.pathname));
  const [match] = paths.filter((one) => one !== null);
  if (match === undefined) refuseInWords(404, 'There is no such route.');
  const operations = Object.values(routes)[paths.indexOf(match)] ?? {};
  const allow = Object.keys(operations).join(', ');
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const operation = operations[method];
  if (operation === undefined) return new Response(null, { status: 405, headers: { allow } });
  const [, owner] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  const challenge = { 'www-authenticate': 'Bearer realm="streams"' };
  if (owner === undefined) return new Response(null, { status: 401, headers: challenge });
  if (![apiKey, otherApiKey].includes(owner)) refuse(403, 'KEY_REFUSED');
  const id = match[1]?.toLowerCase() ?? '';
  if (id !== '' && !z.guid().safeParse(id).success) refuse(400, 'ID_MALFORMED');
  const response = await operation({ records, request, url, owner, id });
  return method === 'GET' ? withEntityTag(response, headers['if-none-match']) : response;
}

async function withEntityTag(response: Response, known = ''): Promise<Response> {
  const hash = createHash('sha256').update(await response.clone().text());
  const etag = `"${hash.digest('base64url')}"`;
  response.headers.set('etag', etag);
  const isKnown = known === '*' || known.includes(etag);
  return isKnown ? new Response(null, { status: 304, headers: { etag } }) : response;
}

/** A file of a recording. Players send no key: the id in its address, which nobody guesses, is the permission. */
async function mediaOf(folder: string, file: string): Promise<Response> {
  const path = join(folder, file);
  const bytes =
    file === 'index.m3u8' ? multivariantPlaylist : await readFile(path).catch(() => null);
  return new Response(bytes, { status: bytes === null ? 404 : 200 });
}

/** Makes the media of every recording in a folder: an MP4, and HLS of two renditions. */
export function makeMedia(ffmpeg: string, folder: string): void {
  const run = (...args: string[]): Buffer =>
    execFileSync(ffmpeg, ['-loglevel', 'error', ...args], { cwd: folder });
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50'];
  const test = `testsrc=size=1280x720:rate=25:duration=${seconds}`;
  run('-f', 'lavfi', '-i', test, ...h264, 'source.mp4');
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0'];
  for (const name of ['source', 'low']) mkdirSync(join(folder, name));
  run('-i', 'source.mp4', '-c', 'copy', ...hls, 'source/index.m3u8');
  run('-i', 'source.mp4', '-vf', 'scale=640:360', ...h264, ...hls, 'low/index.m3u8');
}

/** Serves it until the test ends. `folder` has the media of every recording. */
export async function serveSecondImplementation(folder: string) {
  const records: (Stream | Session)[] = [];
  const { origin } = await serveHttp(async (request, response) => {
    const [, id, file = ''] = /^\/media\/([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
    const answer = id
      ? await mediaOf(folder, file)
      : await answerTo(records, request).catch((thrown: Response) => thrown);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return { baseUrl: `${origin}/v2`, controlUrl: `${origin}/backdoor`, apiKey, otherApiKey };
}
