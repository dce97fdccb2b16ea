import type { Behaviour } from '../../interface/dialect.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem, type ProblemCode } from '../messages/problem.ts';
import { isUuid } from '../state/ids.ts';
import { recordsOf } from '../state/ordered.ts';
import { acceptOrRefuse } from './accept-or-refuse.ts';
import { recordingStatus } from './recording.ts';
import { isSuspended } from './stream-input.ts';
import type { WorldState } from './world.ts';

/**
 * The parent stream, or the session (a historic stream object), with an id.
 * @throws Problem 404 when there is neither.
 */
export function findStream(world: WorldState, id: string): StreamRecord | SessionRecord {
  const { records } = world.state;
  return records.stream(id) ?? records.session(id) ?? refuseUnknown(world, 'stream', id);
}

/**
 * The session with an id.
 * @throws Problem 404 when there is none.
 */
export function findSession(world: WorldState, id: string): SessionRecord {
  return world.state.records.session(id) ?? refuseUnknown(world, 'session', id);
}

/**
 * The parent stream whose sessions are listed.
 * @throws Problem 404 for an unknown id and for a session's.
 */
export function findParent(world: WorldState, id: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw noParent(found);
}

/**
 * Accepts or refuses a session at the path of a stream.
 * @throws Problem 404 where it is refused
 */
export function checkSessionAsStream(session: SessionRecord, behaviour: Behaviour): void {
  const problem = () => noParent(session);
  acceptOrRefuse(behaviour, 'retrieveStream', { error: 'id:session', problem }, undefined);
}

function noParent(
  { id, parentId }: SessionRecord,
  code: ProblemCode = 'unknown',
  advice?: string,
): Problem {
  const got = `session ${id} of stream ${parentId}`;
  const issue = { path: 'id', expected: 'a parent stream', got, error: 'id:session' };
  return new Problem(code, { ...issue, advice });
}

/**
 * The parent stream that a request wants to change.
 * @throws Problem 404 for an unknown id; 400, ending in `consequence`, for a session.
 */
export function findChangeable(world: WorldState, id: string, consequence: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw noParent(found, 'refused', `a session is read-only, ${consequence}`);
}

/** What is wrong with a change of a stream that is live; `path` names the part of the request. */
export function liveProblem(
  world: WorldState,
  id: string,
  path: string,
  error?: string,
): Problem | undefined {
  const live = world.state.records.liveSession(id);
  if (live === undefined) return undefined;
  return new Problem('refused', {
    path,
    expected: 'a stream that is not live',
    got: `stream ${id} with live session ${live.id}`,
    advice: 'stop it first',
    error,
  });
}

/**
 * Accepts or refuses a stream that is live when its recording is switched to the value in a body, or its profiles are
 * set by one, before the body's fields are checked.
 * @throws Problem 400 where it is refused
 */
export function checkStateErrors(
  world: WorldState,
  id: string,
  endpoint: 'setRecord' | 'updateStream',
  body: unknown,
  behaviour: Behaviour,
): void {
  const { record, profiles } = { ...(body as { record?: unknown; profiles?: unknown }) };
  if (endpoint === 'updateStream' && profiles === undefined) return;
  const isSame = endpoint === 'setRecord' && record === world.state.records.stream(id)?.record;
  const error = isSame ? 'state:live-same' : 'state:live';
  const live = liveProblem(world, id, endpoint === 'setRecord' ? 'record' : 'profiles', error);
  if (live !== undefined)
    acceptOrRefuse(behaviour, endpoint, { error, problem: () => live }, undefined);
}

/**
 * Refuses a change of a stream that is live, whatever a dialect says.
 * @throws Problem 400
 */
export function refuseLive(world: WorldState, id: string, path: string): void {
  const problem = liveProblem(world, id, path);
  if (problem !== undefined) throw problem;
}

/**
 * The stream with a playback id, or the session with an id whose recording is ready.
 * @throws Problem 404 when there is neither, the stream is suspended, or sessions are not looked up.
 */
export function findPlayable(
  world: WorldState,
  id: string,
  behaviour: Behaviour,
): StreamRecord | SessionRecord {
  const { records } = world.state;
  const session = records.session(id);
  if (session !== undefined && recordingStatus(world, session, world.clock.now()) === 'ready') {
    const problem = () => notPlayable(id, 'id:session');
    acceptOrRefuse(behaviour, 'retrievePlayback', { error: 'id:session', problem }, undefined);
    return session;
  }
  const stream = records.streamByPlaybackId(id);
  if (stream !== undefined && !isSuspended(stream)) return stream;
  throw notPlayable(id, 'id:unknown');
}

function notPlayable(id: string, error: string): Problem {
  return new Problem('unknown', {
    path: 'playbackId',
    expected:
      'the playback id of a stream of this API key that is not suspended, or the id of a recorded session that is ready',
    got: describeValue(id),
    error,
  });
}

function refuseUnknown({ state }: WorldState, kind: 'stream' | 'session', id: string): never {
  throw new Problem('unknown', {
    path: 'id',
    expected: `a ${kind} of this API key`,
    got: describeValue(id),
    error: errorOfId(state.records, kind, id),
  });
}

/** Characters of an id from which on some services refuse a path as too long. */
const longestId = 100;

/** What is wrong with an id that is not found. */
function errorOfId(records: WorldState['state']['records'], kind: string, id: string): string {
  if (kind === 'session' && records.stream(id) !== undefined) return 'id:stream';
  if (records.deletedStream(id) !== undefined) return 'id:deleted';
  if (isUuid(id)) return 'id:unknown';
  if (id.includes('\0')) return 'id:nul';
  if (id.includes('%')) return 'id:percent';
  return id.length > longestId ? 'id:large' : 'id:malformed';
}

/** The stream of a key, in its world. */
export interface KeyedStream {
  readonly world: WorldState;
  readonly stream: StreamRecord;
}

/**
 * The stream with which an encoder goes live that has a key.
 * @throws Problem 404 for a key that no stream of these worlds has, or several; 409 while it is live.
 */
export function findByStreamKey(worlds: readonly WorldState[], streamKey: string): KeyedStream {
  const [found, ...others] = worlds.flatMap((world) =>
    recordsOf(world.state.records.streams)
      .filter((stream) => stream.streamKey === streamKey)
      .map((stream) => ({ world, stream })),
  );
  if (found === undefined) throw badKey('unknown', 'one that no stream has');
  if (others.length > 0) throw badKey('unknown', `one that ${others.length + 1} streams have`);
  const { world, stream } = found;
  if (world.state.records.liveSession(stream.id) === undefined) return found;
  throw badKey('conflict', `that of stream ${stream.id}, which is live`);
}

function badKey(code: ProblemCode, got: string): Problem {
  const expected = 'the streamKey of one stream, which is not live';
  return new Problem(code, { path: 'stream key', expected, got });
}
