import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { serveHttp } from '../target/servers.test-support.ts';

/** A stream, or a session, which this service shows as a stream with a parentId. */
type Shown = Record<string, unknown> & { readonly id: string; readonly parentId?: string };

/** What the service does wrong, apart from accepting everything. */
export interface LaxOptions {
  /** The id that each new stream gets, although it is taken. */
  readonly idOfNew?: string;
  /** Where it claims that a stream of the user belongs to whoever asks. */
  readonly claims?: Claim;
  /** Whether sessions can never be deleted. */
  readonly keepsSessions?: boolean;
}

export const claims = ['session', 'list', 'lists of one', 'playbackId', 'redirect'] as const;
type Claim = (typeof claims)[number];

/** A service that accepts every request from anybody, and does what it says. */
export interface LaxService extends ReturnType<typeof createLax> {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Sends a request within this process, which is much faster than over HTTP. */
  readonly send: (request: Request) => Promise<Response>;
}

/** Serves it until the test ends. */
export async function serveLax(options: LaxOptions = {}): Promise<LaxService> {
  const service = createLax(options);
  const { origin } = await serveHttp(async (request, response) => {
    const { method = 'GET', url = '' } = request;
    const text = Buffer.concat(await request.toArray()).toString();
    const answer = service.answer(method, url, text);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  const send = async (request: Request): Promise<Response> => {
    // Like any service, it gives others their turn.
    await setImmediate();
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const answer = service.answer(method, pathname + search, await request.text());
    return method === 'HEAD' ? new Response(null, answer) : answer;
  };
  return { ...service, send, baseUrl: `${origin}/api`, controlUrl: `${origin}/control` };
}

/** A stream of the user that no option names. */
export const elsewhere = 'elsewhere';
/** An id that a program may believe to be unused. */
const unlikely = '00000000-0000-4000-8000-000000000000';

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
  const read = (path: string, query: string): Response => {
    if (/^\/(stream|session|stream\/[^/]+\/sessions)$/.test(path)) {
      return page(list(path, query), query);
    }
    const found = records.get(path.split('/')[2] ?? '');
    return Response.json(found ?? {}, { status: found === undefined ? 404 : 200 });
  };
  const write = (method: string, path: string, body: object): Response => {
    if (method === 'POST' && path === '/stream')
      return Response.json(create(body), { status: 201 });
    const [, , id = ''] = path.split('/');
    // A path without an id means the whole list.
    const isList = /^\/(stream|session)$/.test(path);
    const meant = isList ? [...records.keys()] : [id].filter((one) => records.has(one));
    if (meant.some((one) => atStart.includes(one)))
      foreignWrites.push(`${method} ${path} ${JSON.stringify(body)}`);
    for (const one of meant) change(method, path, one, body);
    return new Response(null, { status: 204 });
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
    /** The id of a stream of the user, with two recorded sessions. */
    named,
    /** Writes that touched what the service had at the start, even if they changed nothing. */
    foreignWrites,
    /** What it had at the start, in its present state. */
    foreign: (): unknown => atStart.map((id) => structuredClone(records.get(id))),
    /** Streams and sessions that it did not have at the start. */
    left: () => [...records].filter(([id]) => !atStart.includes(id)).map(([, record]) => record),
    answer(method: string, url: string, text: string): Response {
      if (claims === 'redirect' && method !== 'GET') {
        return new Response(null, {
          status: 307,
          headers: { location: `/api/stream/${elsewhere}` },
        });
      }
      const [address = '', query = ''] = orElse(url, () => decodeURIComponent(url))
        .toLowerCase()
        .split('?');
      const path = address
        .replaceAll(/\/+/g, '/')
        .replace(/^\/(api|control)/, '')
        .replace(/\/$/, '');
      const [, id] = /^\/streams\/([^/]+)\/(?:start|stop)$/.exec(path) ?? [];
      if (id !== undefined) return goLive(id, path);
      return ['GET', 'HEAD', 'OPTIONS'].includes(method)
        ? read(path, query)
        : write(method, path, readObject(text));
    },
  };

  function goLive(id: string, path: string): Response {
    const stream = records.get(id);
    if (atStart.includes(id)) foreignWrites.push(`POST ${path}`);
    if (path.endsWith('/stop')) return Response.json({});
    const session = { ...newSession(stream?.id ?? id), record: stream?.['record'] ?? false };
    const shown = claims === 'session' ? { ...session, id: elsewhere } : session;
    add(session);
    return Response.json(shown, { status: 201 });
  }
}

/** Pages of a few records, as many services have them. */
function page(all: readonly Shown[], query: string): Response {
  const start = Number(/cursor=(\d+)/.exec(query)?.[1] ?? 0);
  const end = start + 4;
  const headers = end < all.length ? { 'x-next-cursor': String(end) } : {};
  return Response.json(all.slice(start, end), { headers });
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
  const body: unknown = orElse(null, () => JSON.parse(text));
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
}

/** What a function returns, or another value if it throws. */
function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
