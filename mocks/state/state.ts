import type { SessionRecord, StreamRecord, WorldContents } from '../../fixtures/world-records.ts';
import type { Change, Replacement, SavedState, Update } from './change.ts';
import { maxDeleted } from './limits.ts';
import {
  createOrdered,
  type Entry,
  insert,
  lastOf,
  type Ordered,
  recordsOf,
  remove,
} from './ordered.ts';

/**
 * The streams and sessions of one world, with an index for each way to look them up. Lists are sorted by `createdAt`,
 * and records of the same time by when they were added. A record is never modified: a new one replaces it at the same
 * place.
 */
export type Records = ReturnType<typeof createRecords>;

interface StreamEntry extends Entry<StreamRecord> {
  readonly sessions: Ordered<SessionRecord>;
  live: SessionRecord | undefined;
  /** The last one in the live playlist. */
  latest: SessionRecord | undefined;
  version: number;
}

/**
 * Counts the versions of all streams, in all worlds. A cache finds the text of a stream by its version. If each set of
 * records counted from 0, a world that was reset could get texts from before the reset.
 */
let latestVersion = 0;

/**
 * Whether a session replaces, or comes after, the `latest` one in the live playlist of their stream. A clock that was
 * set back does not change what comes after what.
 */
function isInPlaceOf(latest: SessionRecord, session: SessionRecord): boolean {
  if (session.id === latest.id) return true;
  const [begin, latestBegin] = [liveBegin(session), liveBegin(latest)];
  if (begin !== latestBegin) return begin > latestBegin;
  return session.createdAt >= latest.createdAt;
}

/** The media sequence number, in the live playlist of its stream, of a session's first segment. */
export function liveBegin({ livePosition }: SessionRecord): number {
  return livePosition?.mediaSequence ?? 0;
}

/** Makes empty {@link Records}. */
export function createRecords() {
  const streamEntries = new Map<string, StreamEntry>();
  const sessionEntries = new Map<string, Entry<SessionRecord>>();
  const entriesByPlaybackId = new Map<string, StreamEntry>();
  /** By stream key. Deleted streams have no entry here. */
  const entriesByStreamKey = new Map<string, StreamEntry>();
  /** The keys that several streams share, as an exported state can be edited. A set for each key would take too much room. */
  const entriesBySharedKey = new Map<string, Set<StreamEntry>>();
  /** The deleted streams whose ids stay known, oldest deletion first. */
  const deletedEntries = new Set<StreamEntry>();
  /** Those without sessions. */
  const forgettable = new Set<StreamEntry>();
  const streams = createOrdered<StreamRecord>();
  const sessions = createOrdered<SessionRecord>();
  let sequence = 0;

  const undeleted = (entry: StreamEntry | undefined): StreamRecord | undefined =>
    entry?.record.deletedAt === undefined ? entry?.record : undefined;
  const addToKey = (entry: StreamEntry): void => {
    const { streamKey } = entry.record;
    const other = entriesByStreamKey.get(streamKey);
    if (other === undefined) {
      entriesByStreamKey.set(streamKey, entry);
      return;
    }
    const sharing = entriesBySharedKey.get(streamKey) ?? new Set([other]);
    entriesBySharedKey.set(streamKey, sharing.add(entry));
  };
  const removeFromKey = (entry: StreamEntry, streamKey: string): void => {
    const sharing = entriesBySharedKey.get(streamKey);
    sharing?.delete(entry);
    if (sharing?.size === 0) entriesBySharedKey.delete(streamKey);
    if (entriesByStreamKey.get(streamKey) !== entry) return;
    const [next] = sharing ?? [];
    if (next === undefined) entriesByStreamKey.delete(streamKey);
    else entriesByStreamKey.set(streamKey, next);
  };
  const addStream = (record: StreamRecord): StreamEntry => {
    const isDeleted = record.deletedAt !== undefined;
    const entry: StreamEntry = {
      record,
      sequence: sequence++,
      isRemoved: isDeleted,
      sessions: createOrdered<SessionRecord>(),
      live: undefined,
      latest: undefined,
      version: 0,
    };
    streamEntries.set(record.id, entry);
    entriesByPlaybackId.set(record.playbackId, entry);
    // A place among the others would cost more the older the stream is.
    if (isDeleted) return entry;
    insert(streams, entry);
    addToKey(entry);
    return entry;
  };
  const addSession = (record: SessionRecord, parent: StreamEntry): Entry<SessionRecord> => {
    const entry = { record, sequence: sequence++, isRemoved: false };
    sessionEntries.set(record.id, entry);
    insert(sessions, entry);
    insert(parent.sessions, entry);
    forgettable.delete(parent);
    return entry;
  };
  const keepDeleted = (entry: StreamEntry): void => {
    remove(streams, entry);
    removeFromKey(entry, entry.record.streamKey);
    deletedEntries.add(entry);
    if (entry.sessions.entries.length === 0) forgettable.add(entry);
  };
  const forget = (entry: StreamEntry): void => {
    const { id, playbackId, streamKey } = entry.record;
    remove(streams, entry);
    removeFromKey(entry, streamKey);
    deletedEntries.delete(entry);
    forgettable.delete(entry);
    streamEntries.delete(id);
    if (entriesByPlaybackId.get(playbackId) === entry) entriesByPlaybackId.delete(playbackId);
  };
  return {
    /** Adds a stream, or replaces the one with its id. A deleted one is in no list, but its id stays known. */
    putStream(stream: StreamRecord): void {
      const entry = streamEntries.get(stream.id) ?? addStream(stream);
      const { streamKey } = entry.record;
      entry.record = stream;
      entry.version = ++latestVersion;
      if (stream.streamKey !== streamKey) {
        removeFromKey(entry, streamKey);
        addToKey(entry);
      }
      if (stream.deletedAt !== undefined) keepDeleted(entry);
    },
    /** Adds a session, or replaces the one with its id. A session of an unknown stream is ignored. */
    putSession(session: SessionRecord): void {
      const parent = streamEntries.get(session.parentId);
      if (parent === undefined) return;
      const entry = sessionEntries.get(session.id) ?? addSession(session, parent);
      entry.record = session;
      parent.version = ++latestVersion;
      if (parent.latest === undefined || isInPlaceOf(parent.latest, session))
        parent.latest = session;
      if (session.endedAt === undefined) parent.live = session;
      else if (parent.live?.id === session.id) parent.live = undefined;
    },
    /** Deletes a stream with its sessions. */
    deleteStream(id: string): void {
      const entry = streamEntries.get(id);
      if (entry === undefined) return;
      for (const session of entry.sessions.entries) {
        sessionEntries.delete(session.record.id);
        remove(sessions, session);
      }
      forget(entry);
    },
    /** Deletes a session alone, as some services let clients do. */
    deleteSession(id: string): void {
      const entry = sessionEntries.get(id);
      const parent = entry && streamEntries.get(entry.record.parentId);
      if (entry === undefined || parent === undefined) return;
      sessionEntries.delete(id);
      // Its mark counts in one list only.
      parent.sessions.entries = parent.sessions.entries.filter((other) => other !== entry);
      remove(sessions, entry);
      parent.version = ++latestVersion;
      const isEmpty = parent.sessions.entries.length === 0;
      if (isEmpty && deletedEntries.has(parent)) forgettable.add(parent);
      if (parent.live?.id === id) parent.live = undefined;
      if (parent.latest?.id === id) parent.latest = lastOf(parent.sessions);
    },
    /** Forgets the streams that were deleted first, if too many without sessions are still known. */
    forgetDeleted(): void {
      for (const entry of forgettable) {
        if (forgettable.size <= maxDeleted) return;
        forget(entry);
      }
    },
    stream: (id: string) => undeleted(streamEntries.get(id)),
    /** A deleted stream whose id or sessions stay known. */
    deletedStream(id: string): StreamRecord | undefined {
      const record = streamEntries.get(id)?.record;
      return record?.deletedAt === undefined ? undefined : record;
    },
    session: (id: string) => sessionEntries.get(id)?.record,
    streamByPlaybackId: (playbackId: string) => undeleted(entriesByPlaybackId.get(playbackId)),
    /** Usually one stream, or none. */
    streamsByKey(streamKey: string): StreamRecord[] {
      const entry = entriesByStreamKey.get(streamKey);
      const sharing = entriesBySharedKey.get(streamKey) ?? (entry === undefined ? [] : [entry]);
      return Array.from(sharing, ({ record }) => record);
    },
    liveSession: (streamId: string) => streamEntries.get(streamId)?.live,
    /** The session that the live playlist of a stream ends with: the live one, or else the latest. */
    latestSession(streamId: string): SessionRecord | undefined {
      const entry = streamEntries.get(streamId);
      return entry?.live ?? entry?.latest;
    },
    streams,
    /** The deleted streams that are still known, oldest deletion first. */
    deletedStreams: (): StreamRecord[] => Array.from(deletedEntries, ({ record }) => record),
    sessions,
    sessionsOf: (streamId: string): Ordered<SessionRecord> =>
      streamEntries.get(streamId)?.sessions ?? createOrdered<SessionRecord>(),
    /** A number that changes whenever the stream or one of its sessions does. It is never reused. */
    version: (streamId: string) => streamEntries.get(streamId)?.version,
    /** The number of streams and sessions, without deleted streams. */
    count: () => streamEntries.size - deletedEntries.size + sessionEntries.size,
  };
}

/** Everything in a world that is kept, except its clock. */
export interface State {
  /** The seed with which the world starts again. */
  seed: string;
  /** The account of the API key. */
  userId: string;
  /** The state of the random generator. */
  random: readonly number[];
  readonly records: Records;
}

/** Applies an update to a state. The clock is not part of a state. */
export function applyUpdate(state: State, { deleted = [], random, ...contents }: Update): void {
  for (const id of deleted) {
    state.records.deleteStream(id);
    state.records.deleteSession(id);
  }
  putRecords(state.records, contents);
  if (random !== undefined) state.random = random;
}

/** Adds records, or replaces those with the same ids. */
function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
  // Only now, because the sessions of a deleted stream need it.
  records.forgetDeleted();
}

/** Builds a state from a saved one. */
export function readState({ seed = '', userId, random, ...contents }: SavedState): State {
  const records = createRecords();
  putRecords(records, contents);
  return { seed, userId, random, records };
}

/** The state as JSON, with what its clock shows and how fast that runs. */
export function saveState(state: State, now: number, speed: number): SavedState {
  const { seed, userId, random, records } = state;
  return {
    version: 2,
    now,
    ...(speed !== 1 && { speed }),
    seed,
    userId,
    random,
    streams: [...recordsOf(records.streams), ...records.deletedStreams()],
    sessions: recordsOf(records.sessions),
  };
}

/**
 * Combines the changes of a world, oldest first, into one.
 * @throws Error if the first change is not a whole state.
 */
export function combine(changes: readonly Change[]): Replacement {
  let state: State | undefined;
  let at = 0;
  let now = 0;
  let speed = 1;
  for (const change of changes) {
    const isWhole = 'state' in change;
    const clock = isWhole ? change.state : change;
    now = clock.now ?? now + (change.at - at) * speed;
    speed = clock.speed ?? (isWhole ? 1 : speed);
    at = change.at;
    if (isWhole) state = readState(change.state);
    else if (state === undefined) break;
    else applyUpdate(state, change);
  }
  if (state === undefined) throw new Error('changes: expected a whole state first, got none');
  return { at, state: saveState(state, Math.round(now), speed) };
}

/** Whether a stream is suspended; an update does that. */
export function isSuspended({ further }: StreamRecord): boolean {
  return further?.['suspended'] === true;
}
