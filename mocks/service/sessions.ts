import { type Random, resumeRandom } from '../../fixtures/random.ts';
import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { ErrorIdOf } from '../../interface/dialect/errors.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import type { Profile, Session } from '../../interface/types.ts';
import { loopSeconds } from '../media/frames.ts';
import { Problem } from '../messages/problem.ts';
import { findChangeable, findSession, refuseAlways } from '../state/find.ts';
import { createIdOf, type IdForm } from '../state/ids.ts';
import { longestSession } from '../state/limits.ts';
import { lastOf } from '../state/ordered.ts';
import { isSuspended } from '../state/state.ts';
import { acceptOrRefuse } from './accept-or-refuse.ts';
import { commit } from './commit.ts';
import type { ReadFields } from './read-fields.ts';
import { plainSession } from './views.ts';
import type { OpenWorld, Requester } from './world.ts';

/**
 * Builds a live session that began at `begin`, in milliseconds since 1970; an earlier time becomes 1970. It
 * inherits the current `profiles` and `record` of its parent (interface 4.1 and 4.2, rule 4).
 */
export function buildSession(
  random: Random,
  parent: StreamRecord,
  begin: number,
  idForm: IdForm = 'uuid',
): SessionRecord {
  const createdAt = Math.max(0, begin);
  return {
    id: createIdOf(idForm, random),
    parentId: parent.id,
    // `join` makes one flat string; `+` would keep its parts in memory.
    name: ['session', new Date(createdAt).toISOString()].join('-'),
    createdAt,
    record: parent.record,
    profiles: parent.profiles,
    ...inheritedShown(parent),
  };
}

/** What a session shows instead of the values that it inherits. */
function inheritedShown({ shown }: StreamRecord): Pick<SessionRecord, 'shown'> {
  if (shown === undefined) return {};
  // A session of a stream without profiles has a behaviour of its own.
  const inherited = Object.entries(shown).filter(
    ([field, value]) => ['profiles', 'record'].includes(field) && value !== null,
  );
  return inherited.length === 0 ? {} : { shown: Object.fromEntries(inherited) };
}

/**
 * Begins a session of a stream, as if its encoder had connected, and returns it as the interface shows it. With
 * `duration`, in seconds, the session has already ended and lasted that long.
 * @throws Problem 404 for an unknown stream; 400 for a session, or while the stream is live or suspended;
 * 429 if the mock is full.
 */
export function startSession(
  requester: Requester,
  id: string,
  options: { duration?: number } = {},
): Session {
  const { world } = requester;
  const { duration } = options;
  const stream = findChangeable(
    world.state.records,
    id,
    'no encoder can connect to it',
    refuseAlways,
  );
  if (isSuspended(stream)) {
    const expected = 'a stream that is not suspended';
    const got = `stream ${id}, which is suspended`;
    const advice = 'PATCH /stream/{id} with {"suspended": false} first';
    throw new Problem('not-allowed', { path: 'start', expected, got, advice });
  }
  refuseLive(world, id, 'start');
  const random = resumeRandom(world.state.random);
  const session =
    duration === undefined
      ? buildSession(random, stream, world.clock.now(), world.settings.idForms.session)
      : finishedSession(world, random, stream, duration);
  commit({ world, isTester: true }, { sessions: [session], random: random.state() });
  return plainSession(requester, findSession(world.state.records, session.id, refuseAlways));
}

/**
 * A session of `duration` seconds that ends now. It began that long ago, but not before its stream, or before the end of
 * the stream's session before it.
 */
function finishedSession(
  world: OpenWorld,
  random: Random,
  stream: StreamRecord,
  duration: number,
): SessionRecord {
  const now = world.clock.now();
  const before = lastOf(world.state.records.sessionsOf(stream.id));
  const earliest = before?.endedAt ?? stream.createdAt;
  const begin = Math.min(now, Math.max(earliest, now - Math.round(duration * 1000)));
  const { session: idForm } = world.settings.idForms;
  return { ...buildSession(random, stream, begin, idForm), endedAt: now, duration };
}

/** Deletes a session alone, as a dialect can let clients do. */
export function deleteSession(requester: Requester, { id }: SessionRecord): void {
  commit(requester, { deleted: [id] });
}

/** Changes a session, as a dialect can let clients do. */
export function updateSession(
  requester: Requester,
  before: SessionRecord,
  { fields }: ReadFields,
): SessionRecord {
  const { name, profiles, record } = fields;
  const session: SessionRecord = {
    ...before,
    ...(name !== undefined && { name: String(name) }),
    ...(profiles !== undefined && { profiles: profiles as unknown as readonly Profile[] }),
    ...(typeof record === 'boolean' && { record }),
  };
  commit(requester, { sessions: [session] });
  return session;
}

/** The problem of a change of a stream with a live session; `path` names the part of the request. */
function liveProblem({ id, parentId }: SessionRecord, path: string): Problem {
  const expected = 'a stream that is not live';
  const got = `stream ${parentId} with live session ${id}`;
  return new Problem('not-allowed', { path, expected, got, advice: 'stop it first' });
}

/**
 * Accepts or refuses a change of a stream that is live, as the service does. `path` names the part of the request.
 * @throws Problem 400 if it is refused.
 */
export function acceptWhileLive(
  world: OpenWorld,
  cells: Cells,
  error: ErrorIdOf<'state'>,
  id: string,
  path: string,
): void {
  const live = world.state.records.liveSession(id);
  if (live !== undefined) acceptOrRefuse(cells, error, () => liveProblem(live, path));
}

/**
 * Refuses a change of a stream that is live, whatever a dialect says.
 * @throws Problem 400 if the stream is live.
 */
export function refuseLive(world: OpenWorld, id: string, path: string): void {
  const live = world.state.records.liveSession(id);
  if (live !== undefined) throw liveProblem(live, path);
}

/**
 * Ends the live session of a stream, as if its encoder had disconnected, and returns it as the interface shows it.
 * If the world's clock has not moved since the session began, its duration is `seconds`.
 * @throws Problem 404 for an unknown stream; 400 for a session, or if the stream is not live.
 */
export function stopSession(requester: Requester, id: string, seconds?: number): Session {
  const { world } = requester;
  findChangeable(world.state.records, id, 'no encoder can disconnect from it', refuseAlways);
  const live = world.state.records.liveSession(id);
  if (live === undefined) throw notLive(id, 'stop');
  const session = endedSession(world, live, seconds);
  commit({ world, isTester: true }, { sessions: [session] });
  return plainSession(requester, findSession(world.state.records, session.id, refuseAlways));
}

/**
 * The live session of a stream that is to end. Accepts or refuses a stream that has none.
 * @throws Problem 400 if a dialect refuses it.
 */
export function liveSessionToEnd(
  world: OpenWorld,
  cells: Cells,
  { id }: StreamRecord,
): SessionRecord | undefined {
  const live = world.state.records.liveSession(id);
  if (live === undefined) acceptOrRefuse(cells, 'state:idle', () => notLive(id, 'terminate'));
  return live;
}

/** Ends a live session at the request of a client or a tester. */
export function terminateSession(requester: Requester, live: SessionRecord): void {
  commit(requester, { sessions: [endedSession(requester.world, live)] });
}

function notLive(id: string, path: string): Problem {
  const got = `stream ${id}, which is not live`;
  return new Problem('not-allowed', { path, expected: 'a live stream', got });
}

/** A live session after its encoder has disconnected. It ends now. */
export function endedSession(world: OpenWorld, live: SessionRecord, seconds = 0): SessionRecord {
  const now = world.clock.now();
  const duration = endingDuration(live, now === live.createdAt ? now + 1000 * seconds : now);
  return { ...live, endedAt: now, duration };
}

/** The seconds of media of a live session that ends at `now`: at least one segment, at most 31 days. */
function endingDuration(session: SessionRecord, now: number): number {
  const elapsed = (now - session.createdAt) / 1000;
  return Math.min(longestSession, Math.max(loopSeconds, elapsed));
}
