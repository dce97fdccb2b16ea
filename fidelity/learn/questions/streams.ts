import {
  expectStatus,
  isSuccess,
  type JsonObject,
  readObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type CreatedStream,
  createStream,
  get,
  operations,
  recordedSessionsPath,
  streamPath,
  unknownId,
} from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { PageSize } from '../../../interface/silent-lists.ts';
import type { Profile } from '../../../interface/types.ts';
import { textOf } from '../../json.ts';
import type { ProbeContext, Question } from './probe.ts';
import { findStream } from './search-streams.ts';

/** A recommended profile, which every service takes. */
export const profile: Profile = recommendedProfiles[0] as Profile;

/** The smallest recommended profile. */
export const smallestProfile: Profile = recommendedProfiles.at(-1) as Profile;

/** What every stream is created with that nothing else is asked of. */
export const plainInput = { name: 'learn' } as const;

/** A new stream. @throws Blocked if the target creates none */
export function newStream(context: ProbeContext, input?: JsonObject): Promise<CreatedStream> {
  return createStream(context.send, { ...plainInput, ...input });
}

/** A stream that no probe changes and that has no session. */
export const plainStream: Question<CreatedStream> = (context) => newStream(context);

/** A stream to read: a plain one, or where nothing may be written one that is there. */
export const anyStream: Question<JsonObject> = async (context) => {
  const { readOnly, provider } = context;
  if (!readOnly) return (await context.ask(plainStream)).shown;
  if (provider.name === 'given') return showStream(context, provider.streamId);
  const response = await context.send(get('/stream'));
  const [first] = isSuccess(response) ? readObjects(response) : [];
  if (first !== undefined) return first;
  throw new Blocked('a stream to read: leave out --read-only, or add --recorded-stream');
};

/** The path of a list of recorded sessions, which the service gives as every service has to. */
export const recordedList: Question<string> = async (context) => {
  const path = recordedSessionsPath(textOf((await context.ask(anyStream))['id']));
  const response = await context.send(get(path));
  expectStatus(response, 200, operations.list);
  readObjects(response);
  return path;
};

/** A stream with profiles, which it shows. */
export const profiledStream: Question<CreatedStream> = (context) =>
  newStream(context, { profiles: [profile] });

/** The stream that is updated in all requests that the service may refuse. */
export const changedStream: Question<CreatedStream> = (context) => newStream(context);

/** The request that deletes a stream. */
export function deletionOf(id: string): Call {
  return { method: 'DELETE', path: streamPath(id) };
}

/** The id of a stream that was deleted. @throws Blocked if it cannot be deleted */
export const deletedStream: Question<string> = async (context) => {
  const { id } = await newStream(context);
  const response = await context.send(deletionOf(id));
  if (isSuccess(response)) return id;
  throw new Blocked(`a deleted stream: DELETE /stream/{id} got status ${response.status}`);
};

/** The id of a stream of another API key. @throws Blocked without another key */
export const otherStream: Question<string> = async (context) =>
  (await createStream(context.sendAsOther, plainInput)).id;

/** An id that the service never gave. */
export const neverGiven: Question<string> = () => Promise.resolve(unknownId);

/** Streams that are made one after the other, first to last. */
export const severalStreams: Question<readonly string[]> = async (context) => {
  const ids: string[] = [];
  const length = Math.max(context.streams, lengthToSee(context.expected('list.page-size')));
  for (let count = 0; count < length; count++) {
    ids.push((await newStream(context)).id);
    await context.pause(betweenStreams);
  }
  return ids;
};

/** Records that show whether a page is as long as expected; 0 where these were too many. */
export function lengthToSee(expected: PageSize): number {
  return typeof expected === 'number' && expected <= longestPageTried ? expected + 1 : 0;
}

const longestPageTried = 50;

/** Milliseconds, so that times of creation differ. */
export const betweenStreams = 2;

/** A stream as it is shown now. @throws Blocked if the service shows it nowhere */
export async function showStream(context: ProbeContext, id: string): Promise<JsonObject> {
  const response = await context.send(get(streamPath(id)));
  if (isSuccess(response)) return unwrap(readObject(response));
  const listed = await findStream(context, id);
  if (listed !== undefined) return listed;
  throw new Blocked('a stream as it is now: neither GET /stream/{id} nor GET /stream shows it');
}

/** A stream without the object {"stream"} around it, if it has one. */
function unwrap(body: JsonObject): JsonObject {
  const { stream } = body;
  const isWrapped = !('id' in body) && typeof stream === 'object' && stream !== null;
  return isWrapped ? (stream as JsonObject) : body;
}
