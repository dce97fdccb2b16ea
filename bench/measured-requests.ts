import { once } from 'node:events';
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { recommendedProfiles } from '../interface/recommended-profiles.ts';
import type { Session, Stream } from '../interface/types.ts';

/** One request, and the status that its response must have. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

const headers = { authorization: 'Bearer test-demo' };
const json = { ...headers, 'content-type': 'application/json' };

export function getRequest(path: string): BenchRequest {
  return { method: 'GET', path, headers, status: 200 };
}

const recordOn = JSON.stringify({ record: true });
const newStream = JSON.stringify({ name: 'Harbour camera', profiles: recommendedProfiles });

/** The operations of the interface that are measured. */
export type BenchRequests = ReturnType<typeof requestsOf>;

/** Makes {@link BenchRequests} about one stream, and one that creates another. */
export function requestsOf(streamId: string) {
  const path = `/api/stream/${streamId}`;
  return {
    list: getRequest(`${path}/sessions?record=1`),
    retrieve: getRequest(path),
    record: { method: 'PATCH', path: `${path}/record`, headers: json, body: recordOn, status: 204 },
    create: { method: 'POST', path: '/api/stream', headers: json, body: newStream, status: 201 },
  } as const satisfies Record<string, BenchRequest>;
}

/**
 * The id of a stream that is the same in worlds of any size: it has profiles and this many recorded sessions,
 * and is not live.
 * @throws Error if none of the newest streams is like that.
 */
export async function findMeasuredStream(origin: string, sessions: number): Promise<string> {
  const streams = await readStreams(origin, 100);
  for (const { id, isActive, profiles } of streams) {
    if (isActive || profiles.length === 0) continue;
    const recorded = await fetchJson<Session[]>(origin, requestsOf(id).list);
    if (recorded.length === sessions) return id;
  }
  throw new Error(`${origin}: expected a stream with ${sessions} recorded sessions, found none`);
}

/** The newest streams, at most this many. */
export function readStreams(origin: string, limit: number): Promise<Stream[]> {
  return fetchJson(origin, getRequest(`/api/stream?limit=${limit}`));
}

/** A request that deletes a stream. */
export function deletionOf({ id }: Stream): BenchRequest {
  return { method: 'DELETE', path: `/api/stream/${id}`, headers, status: 204 };
}

/**
 * Sends a request, and reads the whole response. It uses `node:http`, as `fetch` takes several times as long,
 * which would distort the figures.
 * @throws Error if the response is incomplete, or has another status.
 */
export async function sendRequest(origin: string, request: BenchRequest, agent?: Agent) {
  const { method, path, headers } = request;
  const outgoing = requestHttp(origin + path, { method, headers, agent: agent ?? false });
  outgoing.end(request.body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const { statusCode: status = 0 } = response;
  if (status === request.status) return { status, headers: response.headers, body };
  const text = body.toString('utf8', 0, 200);
  throw new Error(`${method} ${origin}${path}: expected ${request.status}, got ${status} ${text}`);
}

/** Like {@link sendRequest}, but returns the body as JSON. */
async function fetchJson<Body>(origin: string, request: BenchRequest): Promise<Body> {
  return JSON.parse((await sendRequest(origin, request)).body.toString());
}
