import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { show } from '../../text/phrases.ts';
import { pathSegment, type TargetCall } from '../requests/call.ts';
import type { TargetResponse } from '../requests/exchange.ts';
import { expectStatus } from '../requests/expectations.ts';
import { asPrecondition, Blocked } from '../requests/failure.ts';
import { isSuccess, type JsonObject, readId, readObject } from '../requests/read-response.ts';
import { until } from '../requests/scheduling.ts';

/** Sends one request to the interface. */
export type Caller = (call: TargetCall) => Promise<TargetResponse>;

/** How messages name the stated operations. */
export const statedOperations = {
  create: 'POST /stream',
  record: 'PATCH /stream/{id}/record',
  list: 'GET /stream/{parentId}/sessions',
} as const;

/** A stream that the suite created on the target. */
export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string | undefined;
  /** The profiles that were sent, if the suite created it. */
  readonly sentProfiles?: readonly object[];
  /** All fields in the response. */
  readonly fields: JsonObject;
}

export function get(path: string): TargetCall {
  return { method: 'GET', path };
}

export function post(path: string, body: unknown): TargetCall {
  return { method: 'POST', path, body };
}

/** The path of a stream. @throws Blocked for an id that cannot be put into a path. */
export function streamPath(id: unknown): string {
  return `/stream/${pathSegment(id)}`;
}

/** A request to switch recording (interface 4.2). @throws Blocked as {@link streamPath} does. */
export function patchRecord(id: unknown, body: unknown): TargetCall {
  return { method: 'PATCH', path: `${streamPath(id)}/record`, body };
}

/** The path of the list of recorded sessions (interface 4.3). @throws Blocked as {@link streamPath} does. */
export function recordedSessionsPath(id: string): string {
  return `${streamPath(id)}/sessions?record=1`;
}

/** Expects a created stream in a response with any success status. */
export function readCreated(response: TargetResponse): JsonObject {
  if (!isSuccess(response)) expectStatus(response, 201, statedOperations.create);
  return readObject(response);
}

/**
 * Requests a stream. If the target creates none without profiles, it requests one with the recommended
 * profiles: only CREATE-13 judges that.
 */
export async function requestStream(
  call: Caller,
  input: JsonObject = { name: 'check' },
): Promise<TargetResponse> {
  const response = await call(post('/stream', input));
  if (isSuccess(response) || 'profiles' in input) return response;
  const transcoded = await call(post('/stream', { ...input, profiles: recommendedProfiles }));
  return isSuccess(transcoded) ? transcoded : response;
}

/** Creates a stream as a precondition of a check. @throws Blocked if the target creates none. */
export async function createOwnStream(call: Caller, input?: JsonObject): Promise<CreatedStream> {
  const response = await requestStream(call, input);
  const see = 'CREATE-1, CREATE-2 and CREATE-16';
  const fields = await asPrecondition('creating a stream', () => readCreated(response), see);
  const { id } = fields;
  if (typeof id !== 'string' || id === '') {
    throw new Blocked(
      `creating a stream: expected an id in the response, got ${show(id)}; see CREATE-5`,
    );
  }
  const { profiles = [] } = JSON.parse(response.sent ?? '{}');
  return { ...asCreatedStream(id, fields), sentProfiles: profiles };
}

/** A stream from its fields, with its key if that is a text. */
export function asCreatedStream(id: string, fields: JsonObject): CreatedStream {
  const { streamKey } = fields;
  return { id, streamKey: typeof streamKey === 'string' ? streamKey : undefined, fields };
}

/**
 * Switches recording as a precondition of a check.
 * @param patience milliseconds for further attempts; 0 unless the stream was live, as a target may refuse
 *   until the session has ended
 * @throws Blocked if the target refuses.
 */
export async function setOwnRecord(
  call: Caller,
  id: string,
  record: boolean,
  patience: number,
): Promise<TargetResponse> {
  let last: TargetResponse | undefined;
  const switched = await until(patience, async () => {
    last = await call(patchRecord(id, { record }));
    return isSuccess(last) ? last : undefined;
  });
  if (switched !== undefined) return switched;
  const late = patience === 0 ? '' : '; if its session ends late, raise --patience';
  throw new Blocked(
    `switching recording to ${record}: expected a status from 200 to 299, got ${last?.status}${late}; see RECORD-1, RECORD-2 and RECORD-4`,
  );
}

/** Reads a stream; `undefined` if the target does not offer this optional operation (4.4). */
export async function retrieveStream(call: Caller, id: string): Promise<JsonObject | undefined> {
  const response = await call(get(streamPath(id)));
  return readId(response) === id ? readObject(response) : undefined;
}
