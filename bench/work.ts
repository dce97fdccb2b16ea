import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One request, and the status that its response must have. */
export interface Work {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

const headers = { authorization: 'Bearer test-demo' };

/** A GET of the interface. */
export function getWork(path: string): Work {
  return { method: 'GET', path, headers, status: 200 };
}

/** A request with a JSON body. */
function sendWork(method: 'POST' | 'PATCH', path: string, value: unknown, status: number): Work {
  const json = { ...headers, 'content-type': 'application/json' };
  return { method, path, headers: json, body: JSON.stringify(value), status };
}

const profiles = [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }];

/** The operations of the interface that are measured. */
export type Works = ReturnType<typeof worksOf>;

/** Makes {@link Works}; most are about one stream. */
export function worksOf(streamId: string) {
  const path = `/api/stream/${streamId}`;
  return {
    list: getWork(`${path}/sessions?record=1`),
    retrieve: getWork(path),
    record: sendWork('PATCH', `${path}/record`, { record: true }, 204),
    create: sendWork('POST', '/api/stream', { name: 'Harbour camera', profiles }, 201),
  } as const satisfies Record<string, Work>;
}

interface ListedStream {
  readonly id: string;
  readonly isActive: boolean;
  readonly profiles: readonly unknown[];
}

/**
 * The id of a stream that is the same in worlds of any size: with profiles, not live, and with this many recorded
 * sessions. @throws Error if none of the newest streams is like that
 */
export async function findMeasuredStream(origin: string, sessions: number): Promise<string> {
  const streams: ListedStream[] = await fetchJson(origin, getWork('/api/stream?limit=100'));
  for (const { id, isActive, profiles } of streams) {
    if (isActive || profiles.length === 0) continue;
    const recorded: unknown[] = await fetchJson(origin, worksOf(id).list);
    if (recorded.length === sessions) return id;
  }
  throw new Error(`${origin}: expected a stream with ${sessions} recorded sessions, found none`);
}

/** A response with its whole body. */
interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request. It uses `node:http` because `fetch` takes several times as long, which would distort the figures.
 * @throws Error if the response is incomplete, or has another status
 */
export async function fetchWork(origin: string, work: Work, agent?: Agent): Promise<WholeResponse> {
  const { method, path, headers } = work;
  const sent = request(origin + path, { method, headers, agent: agent ?? false });
  sent.end(work.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const { statusCode: status = 0 } = response;
  if (status === work.status) return { status, headers: response.headers, body };
  const text = body.toString('utf8', 0, 200);
  throw new Error(`${method} ${origin}${path}: expected ${work.status}, got ${status} ${text}`);
}

/** Like {@link fetchWork}, but returns the body as JSON. */
async function fetchJson<Body>(origin: string, work: Work): Promise<Body> {
  return JSON.parse((await fetchWork(origin, work)).body.toString());
}

/** The milliseconds that an action takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await action();
  return performance.now() - before;
}
