import { Collection } from '@msw/data';
import type { SessionRecord, StreamRecord } from '../fixtures/types.ts';
import type { WorldContents } from '../fixtures/worlds.ts';
import { addTo, type Ordered, removeFrom } from './state/ordered.ts';
import {
  findPrimaryKey,
  keepAs,
  type RecordSchema,
  storedSession,
  storedStream,
  type Wrapped,
} from './stored.ts';

/** What is known of a session once it has ended. */
type SessionEnd = Required<Pick<SessionRecord, 'endedAt' | 'duration'>> &
  Pick<SessionRecord, 'recordingStatus'>;

/** The records of one world, with an index for every way in which they are looked up. */
export interface Collections {
  addStream(record: StreamRecord): Promise<StreamRecord>;
  addSession(record: SessionRecord): Promise<SessionRecord>;
  /** Removes a stream and its sessions. */
  removeStream(stream: StreamRecord): void;
  /** Changes a stored stream at once. */
  setRecord(stream: StreamRecord, record: boolean): void;
  /** Ends a stored session at once. */
  endSession(session: SessionRecord, end: SessionEnd): void;
  stream(id: string): StreamRecord | undefined;
  session(id: string): SessionRecord | undefined;
  streamByPlaybackId(playbackId: string): StreamRecord | undefined;
  liveSession(streamId: string): SessionRecord | undefined;
  /** Whether any session is live. */
  hasLive(): boolean;
  /** When the last session ended whose recording time alone makes; long ago where there is none. */
  lastRecordedEnd(): number;
  /** Oldest first. */
  streams(): Ordered<StreamRecord>;
  /** Oldest first. */
  sessions(): Ordered<SessionRecord>;
  /** Oldest first. */
  sessionsOf(streamId: string): Ordered<SessionRecord>;
}

type Stored<Fact> = ReturnType<Collection<RecordSchema<Fact>>['all']>[number];

/**
 * Makes the collections of a world. `@msw/data` keeps the records; its own look-ups walk through all
 * of them and its updates and hooks wait in between, so records are found by indexes that are kept
 * here, and are changed in place, in one step.
 */
function createCollections(primaryKey: symbol | undefined): Collections {
  const streams = new Collection({ schema: keepAs(storedStream) });
  const sessions = new Collection({
    schema: keepAs((record: SessionRecord) =>
      storedSession(record, streamById.get(record.parentId)),
    ),
  });
  const streamById = new Map<string, Stored<StreamRecord>>();
  const streamByPlaybackId = new Map<string, StreamRecord>();
  const sessionById = new Map<string, Stored<SessionRecord>>();
  const liveByParent = new Map<string, SessionRecord>();
  const sessionsByParent = new Map<string, Ordered<SessionRecord>>();
  const orderedStreams: Ordered<StreamRecord> = { entries: [], added: 0 };
  const orderedSessions: Ordered<SessionRecord> = { entries: [], added: 0 };
  let lastRecordedEnd = never;

  const wrap = <Fact extends { readonly id: string }>(record: Fact): Wrapped<Fact> => {
    const unwrap = (): Fact => record;
    return primaryKey === undefined ? { unwrap } : { unwrap, [primaryKey]: record.id };
  };
  const sessionsOf = (streamId: string): Ordered<SessionRecord> =>
    sessionsByParent.get(streamId) ?? { entries: [], added: 0 };
  const removeSession = (session: Stored<SessionRecord>): void => {
    sessions.delete(session);
    sessionById.delete(session.id);
    removeFrom(orderedSessions, session);
    const end = recordedEnd(session);
    if (end !== never && end === lastRecordedEnd) lastRecordedEnd = findLast(orderedSessions);
  };

  return {
    async addStream(stream) {
      const stored = await streams.create(wrap(stream));
      streamById.set(stored.id, stored);
      streamByPlaybackId.set(stored.playbackId, stored);
      addTo(orderedStreams, stored);
      return stored;
    },
    async addSession(session) {
      const stored = await sessions.create(wrap(session));
      const siblings = sessionsOf(stored.parentId);
      sessionsByParent.set(stored.parentId, siblings);
      sessionById.set(stored.id, stored);
      addTo(siblings, stored);
      addTo(orderedSessions, stored);
      if (stored.endedAt === undefined) liveByParent.set(stored.parentId, stored);
      lastRecordedEnd = Math.max(lastRecordedEnd, recordedEnd(stored));
      return stored;
    },
    removeStream(stream) {
      for (const { record } of sessionsOf(stream.id).entries) {
        const session = sessionById.get(record.id);
        if (session !== undefined) removeSession(session);
      }
      sessionsByParent.delete(stream.id);
      liveByParent.delete(stream.id);
      const stored = streamById.get(stream.id);
      if (stored === undefined) return;
      streams.delete(stored);
      streamById.delete(stored.id);
      streamByPlaybackId.delete(stored.playbackId);
      removeFrom(orderedStreams, stored);
    },
    setRecord(stream, record) {
      Object.assign(stream, { record });
    },
    endSession(session, end) {
      Object.assign(session, end);
      liveByParent.delete(session.parentId);
      lastRecordedEnd = Math.max(lastRecordedEnd, recordedEnd(session));
    },
    stream: (id) => streamById.get(id),
    session: (id) => sessionById.get(id),
    streamByPlaybackId: (playbackId) => streamByPlaybackId.get(playbackId),
    liveSession: (streamId) => liveByParent.get(streamId),
    hasLive: () => liveByParent.size > 0,
    lastRecordedEnd: () => lastRecordedEnd,
    streams: () => orderedStreams,
    sessions: () => orderedSessions,
    sessionsOf,
  };
}

const never = Number.NEGATIVE_INFINITY;

/** When a session ended whose recording time alone makes. */
function recordedEnd({ record, endedAt, recordingStatus }: SessionRecord): number {
  return record && recordingStatus === undefined ? (endedAt ?? never) : never;
}

function findLast({ entries }: Ordered<SessionRecord>): number {
  return entries.reduce((last, { record }) => Math.max(last, recordedEnd(record)), never);
}

/** Collections that hold `contents`. */
export async function fillCollections(contents: WorldContents): Promise<Collections> {
  const collections = createCollections(await findPrimaryKey());
  for (const stream of contents.streams) await collections.addStream(stream);
  for (const session of contents.sessions) await collections.addSession(session);
  return collections;
}
