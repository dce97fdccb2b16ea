import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveHttp } from '../conformance/servers.test-support.ts';

/** A stream, or a session, which this service shows as a stream with a parentId. */
type Shown = Record<string, unknown> & { readonly id: string; readonly parentId?: string };

/** What the service does wrong, beside accepting everything. */
interface LaxOptions {
  /** The id that each new stream gets: one that is taken. */
  readonly idOfNew?: string;
  /** Where it says of a stream that the user has that it is one of whoever asks. */
  readonly claims?: Claim;
  /** Whether a session is kept whatever deletes it. */
  readonly keepsSessions?: boolean;
}

export const claims = ['session', 'list', 'lists of one', 'playbackId', 'redirect'] as const;
type Claim = (typeof claims)[number];

/** A service that accepts every request of everybody, and does what it says. */
export interface LaxService {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** The id of a stream of the user, with two recorded sessions. */
  readonly named: string;
  /** Writes that touched what the service had at the start, even if they changed nothing. */
  readonly foreignWrites: readonly string[];
  /** What it had at the start, as it is now. */
  readonly foreign: () => unknown;
  /** Streams and sessions that it did not have at the start. */
  readonly left: () => readonly Shown[];
}

/** Serves it until the test ends. */
export async function serveLax(options: LaxOptions = {}): Promise<LaxService> {
  const service = createLax(options);
  const { origin } = await serveHttp(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const isMoved = options.claims === 'redirect' && request.method !== 'GET';
    respond(response, isMoved ? moved : service.answer(request, text));
  });
  const { named, foreignWrites, foreign, left } = service;
  return {
    baseUrl: `${origin}/api`,
    controlUrl: `${origin}/control`,
    named,
    foreignWrites,
    foreign,
    left,
  };
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function respond(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** A stream that the user has, and did not name. */
export const elsewhere = 'elsewhere';
/** Ids that a program may take for ones that nobody has. */
const unlikely = '00000000-0000-4000-8000-000000000000';

const moved: Answer = { status: 307, headers: { location: `/api/stream/${elsewhere}` } };

function createLax({ idOfNew, claims, keepsSessions = false }: LaxOptions) {
  const named = 'Users-Stream';
  const records = new Map<string, Shown>();
  const add = (record: Shown): Shown => {
    records.set(record.id.toLowerCase(), record);
    return record;
  };
  for (const id of [named, elsewhere, unlikely]) {
    add({ ...newStream(id), record: true });
    for (const place of [1, 2]) add({ ...newSession(id), id: `${id}-session-${place}` });
  }
  const atStart = [...records.keys()];
  const foreignWrites: string[] = [];

  const create = (input: object): Shown => {
    const id = idOfNew ?? randomUUID();
    const known = records.get(id.toLowerCase());
    const playbackId = claims === 'playbackId' ? elsewhere : `of-${id}`;
    return known ?? add({ ...newStream(id), ...input, id, playbackId });
  };
  const claim = (parentId: string | undefined): Shown[] => {
    const last = [...records.values()].findLast((one) => one.parentId === undefined);
    return [{ ...newSession(parentId ?? last?.id ?? ''), id: elsewhere }];
  };
  const list = (path: string, query: string): Shown[] => {
    const parent = /^\/stream\/([^/]+)\/sessions$/.exec(path)?.[1];
    const all = [...records.values()].filter(({ parentId }) =>
      parent === undefined
        ? path === '/stream' || parentId !== undefined
        : parentId?.toLowerCase() === parent,
    );
    const listed = query.includes('record=1') ? all.filter(({ record }) => record === true) : all;
    const isNew = parent !== undefined && !atStart.includes(parent);
    const lies = claims === 'list' || (claims === 'lists of one' && isNew);
    return lies && records.size > atStart.length ? [...claim(parent), ...listed] : listed;
  };
  const write = (method: string, path: string, body: object): Answer => {
    const [, , id = ''] = path.split('/');
    // A whole list is meant where no id is.
    const isList = /^\/(stream|session)$/.test(path);
    const meant = isList ? [...records.keys()] : [id].filter((one) => records.has(one));
    if (meant.some((one) => atStart.includes(one)))
      foreignWrites.push(`${method} ${path} ${JSON.stringify(body)}`);
    for (const one of meant) change(method, path, one, body);
    return { status: 204 };
  };
  const change = (method: string, path: string, id: string, body: object): void => {
    const record = records.get(id);
    if (method !== 'DELETE') {
      Object.assign(record ?? {}, body);
      // The value of a session becomes that of its stream, too.
      if (record?.parentId !== undefined) change(method, path, record.parentId.toLowerCase(), body);
    } else if (!path.endsWith('/terminate') && !(keepsSessions && record?.parentId)) {
      records.delete(id);
    }
  };
  return {
    named,
    foreignWrites,
    foreign: () => atStart.map((id) => structuredClone(records.get(id))),
    left: () => [...records].filter(([id]) => !atStart.includes(id)).map(([, record]) => record),
    answer({ method = 'GET', url = '' }: IncomingMessage, text: string): Answer {
      const [address = '', query = ''] = decode(url).toLowerCase().split('?');
      const path = address
        .replace(/\/+/g, '/')
        .replace(/^\/(api|control)/, '')
        .replace(/\/$/, '');
      const body = readObject(text);
      const [, id] = /^\/streams\/([^/]+)\/(?:start|stop)$/.exec(path) ?? [];
      if (id !== undefined) return goLive(id, path);
      if (method === 'POST' && path === '/stream') return { status: 201, body: create(body) };
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return write(method, path, body);
      if (/^\/(stream|session|stream\/[^/]+\/sessions)$/.test(path)) {
        return page(list(path, query), query);
      }
      const found = records.get(path.split('/')[2] ?? '');
      return found === undefined ? { status: 404, body: {} } : { status: 200, body: found };
    },
  };

  function goLive(id: string, path: string): Answer {
    const stream = records.get(id);
    if (atStart.includes(id)) foreignWrites.push(`POST ${path}`);
    if (path.endsWith('/stop')) return { status: 200, body: {} };
    const session = { ...newSession(stream?.id ?? id), record: stream?.['record'] ?? false };
    const shown = claims === 'session' ? { ...session, id: elsewhere } : session;
    add(session);
    return { status: 201, body: shown };
  }
}

/** Pages of a few records, as many services have them. */
function page(all: readonly Shown[], query: string): Answer {
  const start = Number(/cursor=(\d+)/.exec(query)?.[1] ?? 0);
  const end = start + 4;
  const headers = end < all.length ? { 'x-next-cursor': String(end) } : undefined;
  return { status: 200, body: all.slice(start, end), ...(headers && { headers }) };
}

function newStream(id: string): Shown {
  const streamKey = 'abcd-ef01-2345-6789';
  return { id, name: id, record: false, createdAt: Date.now(), streamKey, playbackId: `of-${id}` };
}

function newSession(parentId: string): Shown {
  const { streamKey: _, ...shared } = newStream(randomUUID());
  const address = 'http://127.0.0.1:9/recording';
  return {
    ...shared,
    parentId,
    record: true,
    recordingStatus: 'ready',
    sourceSegmentsDuration: 8,
    recordingUrl: `${address}/index.m3u8`,
    mp4URL: `${address}/source.mp4`,
  };
}

function readObject(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  } catch {
    return {};
  }
}

/** What is no text of percent-encoding stays as it is. */
function decode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
