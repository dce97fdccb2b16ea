import type { WorldContents } from '../../fixtures/world-records.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { Update } from './change.ts';
import { addRow, emptyOrder, noteDeleted, type Ordered, type Row } from './ordered.ts';

/** Everything that is kept of a world, except its clock. */
export interface State {
  /** The seed with which the world starts again. */
  seed: string;
  /** The account of the API key. */
  userId: string;
  /** State of the random source. */
  random: readonly number[];
  readonly records: Records;
}

/** Applies an update to a state. The clock is not part of a state. */
export function applyUpdate(state: State, { deleted = [], random, ...contents }: Update): void {
  for (const id of deleted) state.records.deleteStream(id);
  putRecords(state.records, contents);
  if (random !== undefined) state.random = random;
}

/** Adds records, or replaces those with the same ids. */
export function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
}

/**
 * The streams and sessions of one world, with an index for each way to look them up. A record is never
 * modified: a new one replaces it at the same place in the order.
 */
export interface Records {
  /** Adds a stream, or replaces the one with its id. */
  putStream(stream: StreamRecord): void;
  /** Adds a session, or replaces the one with its id; a session of an unknown stream is ignored. */
  putSession(session: SessionRecord): void;
  /** Deletes a stream with its sessions. */
  deleteStream(id: string): void;
  stream(id: string): StreamRecord | undefined;
  session(id: string): SessionRecord | undefined;
  streamByPlaybackId(playbackId: string): StreamRecord | undefined;
  liveSession(streamId: string): SessionRecord | undefined;
  readonly streams: Ordered<StreamRecord>;
  readonly sessions: Ordered<SessionRecord>;
  sessionsOf(streamId: string): Ordered<SessionRecord>;
  /** A number that changes with the stream and with each of its sessions; it is never reused. */
  version(streamId: string): number | undefined;
  /** How many streams and sessions there are. */
  count(): number;
  /**
   * Whether the clock alone will change what a session shows: it is live, or it ended after `moment`, so
   * that its recording is not ready yet. `moment` must not decrease from call to call.
   */
  isUnsettled(moment: number): boolean;
}

interface StreamRow extends Row<StreamRecord> {
  readonly sessions: Ordered<SessionRecord>;
  live: SessionRecord | undefined;
  version: number;
}

let versions = 0;

/** Creates a store without records. */
export function createRecords(): Records {
  const streamRows = new Map<string, StreamRow>();
  const sessionRows = new Map<string, Row<SessionRecord>>();
  const rowsByPlaybackId = new Map<string, StreamRow>();
  const live = new Set<string>();
  const beingRecorded = new Set<Row<SessionRecord>>();
  const streams = emptyOrder<StreamRecord>();
  const sessions = emptyOrder<SessionRecord>();

  const addStream = (fact: StreamRecord): StreamRow => {
    const row: StreamRow = {
      place: streams.end,
      fact,
      sessions: emptyOrder(),
      live: undefined,
      version: 0,
    };
    streamRows.set(fact.id, row);
    rowsByPlaybackId.set(fact.playbackId, row);
    addRow(streams, row);
    return row;
  };
  const addSession = (fact: SessionRecord, parent: StreamRow): Row<SessionRecord> => {
    const row = { place: sessions.end, fact };
    sessionRows.set(fact.id, row);
    addRow(sessions, row);
    addRow(parent.sessions, row);
    return row;
  };
  return {
    putStream(stream) {
      const row = streamRows.get(stream.id) ?? addStream(stream);
      row.fact = stream;
      row.version = ++versions;
    },
    putSession(session) {
      const { id, parentId, endedAt, record, recordingStatus } = session;
      const parent = streamRows.get(parentId);
      if (parent === undefined) return;
      const row = sessionRows.get(id) ?? addSession(session, parent);
      row.fact = session;
      parent.version = ++versions;
      if (endedAt === undefined) {
        parent.live = session;
        live.add(parentId);
      } else if (parent.live?.id === id) {
        parent.live = undefined;
        live.delete(parentId);
      }
      if (endedAt !== undefined && record && recordingStatus === undefined) beingRecorded.add(row);
      else beingRecorded.delete(row);
    },
    deleteStream(id) {
      const stream = streamRows.get(id);
      if (stream?.fact === undefined) return;
      for (const session of stream.sessions.rows) {
        if (session.fact !== undefined) sessionRows.delete(session.fact.id);
        session.fact = undefined;
        beingRecorded.delete(session);
      }
      live.delete(id);
      streamRows.delete(id);
      rowsByPlaybackId.delete(stream.fact.playbackId);
      stream.fact = undefined;
      noteDeleted(streams, 1);
      noteDeleted(sessions, stream.sessions.rows.length);
    },
    stream: (id) => streamRows.get(id)?.fact,
    session: (id) => sessionRows.get(id)?.fact,
    streamByPlaybackId: (playbackId) => rowsByPlaybackId.get(playbackId)?.fact,
    liveSession: (streamId) => streamRows.get(streamId)?.live,
    streams,
    sessions,
    sessionsOf: (streamId) => streamRows.get(streamId)?.sessions ?? emptyOrder(),
    version: (streamId) => streamRows.get(streamId)?.version,
    count: () => streamRows.size + sessionRows.size,
    isUnsettled(moment) {
      for (const row of beingRecorded) {
        if ((row.fact?.endedAt ?? moment) > moment) return true;
        beingRecorded.delete(row);
      }
      return live.size > 0;
    },
  };
}
