import type { TargetResponse } from './exchange.ts';
import { expectStatus, isSuccess, type JsonObject, readObject, show } from './expectations.ts';
import { Blocked, CheckFailure } from './failure.ts';
import { parseJson } from './parse-json.ts';
import { type Call, pathSegment } from './target.ts';
import { until } from './until.ts';

/** Sends one request to the interface. */
export type Caller = (call: Call) => Promise<TargetResponse>;

/** The stated operations, as messages name them. */
export const operations = {
  create: 'POST /stream',
  record: 'PATCH /stream/{id}/record',
  list: 'GET /stream/{parentId}/sessions',
} as const;

/** An id that no target has given to a stream. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** A stream that the suite has created on the target. */
export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string | undefined;
  /** All that the target answered. */
  readonly shown: JsonObject;
}

/** The request that creates a stream (interface 4.1). */
export function post(body: unknown): Call {
  return { method: 'POST', path: '/stream', body };
}

/** Expects a created stream, whichever status of success it comes with. */
export function readCreated(response: TargetResponse): JsonObject {
  if (!isSuccess(response)) expectStatus(response, 201, operations.create);
  return readObject(response);
}

/** Creates a stream as a precondition of something else. @throws Blocked where it cannot. */
export async function createStream(
  call: Caller,
  input: JsonObject = { name: 'conformance' },
): Promise<CreatedStream> {
  const response = await call(post(input));
  const see = 'CREATE-1, CREATE-2 and CREATE-16';
  const shown = precondition('creating a stream', see, () => readCreated(response));
  const { id, streamKey } = shown;
  if (typeof id !== 'string' || id === '') {
    throw new Blocked(
      `creating a stream: expected an id in the answer, got ${show(id)}; see CREATE-5`,
    );
  }
  return { id, streamKey: typeof streamKey === 'string' ? streamKey : undefined, shown };
}

/**
 * Switches recording as a precondition of something else.
 * @param patience milliseconds in which it is tried again; 0 unless the stream was live, and a
 *   session that has not ended yet may stand in the way
 * @throws Blocked where it cannot
 */
export async function setRecord(
  call: Caller,
  id: string,
  record: boolean,
  patience: number,
): Promise<TargetResponse> {
  let last: TargetResponse | undefined;
  const switched = await until(patience, async () => {
    last = await call(recordCall(id, { record }));
    return isSuccess(last) ? last : undefined;
  });
  if (switched !== undefined) return switched;
  const see = 'see RECORD-1, RECORD-2 and RECORD-4';
  throw new Blocked(
    `switching recording to ${record}: expected a status from 200 to 299, got ${last && describeResponse(last)}; ${patience === 0 ? see : `the stream was live, so if its session ends late, raise --patience; else ${see}`}`,
  );
}

/** A refusal in a message: why a target refuses is in the body. */
function describeResponse({ status, text }: TargetResponse): string {
  if (text === '') return String(status);
  try {
    return `${status} and ${show(parseJson(text))}`;
  } catch {
    return `${status} and ${show(text.slice(0, 100))}`;
  }
}

/** Path of a stream. @throws Blocked for an id that cannot be put into a path. */
export function streamPath(id: unknown): string {
  return `/stream/${pathSegment(id)}`;
}

/** The request that switches recording (interface 4.2), or tries to. @throws Blocked as above. */
export function recordCall(id: unknown, body: unknown): Call {
  return { method: 'PATCH', path: `${streamPath(id)}/record`, body };
}

/** Path of the list of recorded sessions (interface 4.3). @throws Blocked as above. */
export function recordedPath(id: string): string {
  return `${streamPath(id)}/sessions?record=1`;
}

/** Reads a stream where the target offers it; where it does not, it may answer anything (4.4). */
export async function retrieveStream(call: Caller, id: string): Promise<JsonObject | undefined> {
  const response = await call({ method: 'GET', path: streamPath(id) });
  return readId(response) === id ? readObject(response) : undefined;
}

/** The id in an answer of success, where it has one. */
export function readId(response: TargetResponse): string | undefined {
  if (!isSuccess(response)) return undefined;
  try {
    const { id } = parseJson(response.text) as JsonObject;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Does something that is the subject of other requirements. @throws Blocked where it fails. */
export function precondition<Value>(what: string, see: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof CheckFailure) throw new Blocked(`${what}: ${error.message}; see ${see}`);
    throw error;
  }
}
