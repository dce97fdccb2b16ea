import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { addRow, emptyOrder, noteDeleted, type Ordered, type Row } from './ordered.ts';

/**
 * The streams and sessions of one world, with an index for each way to look them up. A record is never
 * modified: a new one replaces it at the same place in the order.
 */
export interface Records {
  /** Adds a stream, or replaces the one with its id; one that is deleted stays known by its id. */
  putStream(stream: StreamRecord): void;
  /** Adds a session, or replaces the one with its id; a session of an unknown stream is ignored. */
  putSession(session: SessionRecord): void;
  /** Deletes a stream with its sessions. */
  deleteStream(id: string): void;
  stream(id: string): StreamRecord | undefined;
  /** A deleted stream whose id or sessions stay known. */
  deletedStream(id: string): StreamRecord | undefined;
  session(id: string): SessionRecord | undefined;
  streamByPlaybackId(playbackId: string): StreamRecord | undefined;
  liveSession(streamId: string): SessionRecord | undefined;
  readonly streams: Ordered<StreamRecord>;
  deletedStreams(): Iterable<StreamRecord>;
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

/** Creates an empty set of records. */
export function createRecords(): Records {
  const streamRows = new Map<string, StreamRow>();
  const sessionRows = new Map<string, Row<SessionRecord>>();
  const rowsByPlaybackId = new Map<string, StreamRow>();
  const live = new Set<string>();
  const deletedStreams = new Map<string, StreamRecord>();
  const beingRecorded = new Set<Row<SessionRecord>>();
  const streams = emptyOrder<StreamRecord>();
  const sessions = emptyOrder<SessionRecord>();

  const addRowOf = (id: string, record: StreamRecord | undefined): StreamRow => {
    const row: StreamRow = {
      place: streams.end,
      record,
      sessions: emptyOrder(),
      live: undefined,
      version: 0,
    };
    streamRows.set(id, row);
    return row;
  };
  const addStream = (record: StreamRecord): StreamRow => {
    const row = addRowOf(record.id, record);
    rowsByPlaybackId.set(record.playbackId, row);
    addRow(streams, row);
    return row;
  };
  const addSession = (record: SessionRecord, parent: StreamRow): Row<SessionRecord> => {
    const row = { place: sessions.end, record };
    sessionRows.set(record.id, row);
    addRow(sessions, row);
    addRow(parent.sessions, row);
    return row;
  };
  const removeStream = (row: StreamRow, { playbackId }: StreamRecord): void => {
    rowsByPlaybackId.delete(playbackId);
    row.record = undefined;
    noteDeleted(streams, 1);
  };
  // Its row stays without a record, so that its sessions keep their parent.
  const putDeleted = (stream: StreamRecord): void => {
    const row = streamRows.get(stream.id) ?? addRowOf(stream.id, undefined);
    if (row.record !== undefined) removeStream(row, row.record);
    row.version = ++versions;
    deletedStreams.set(stream.id, stream);
  };
  return {
    putStream(stream) {
      if (stream.deletedAt !== undefined) return putDeleted(stream);
      const row = streamRows.get(stream.id) ?? addStream(stream);
      row.record = stream;
      row.version = ++versions;
    },
    putSession(session) {
      const { id, parentId, endedAt, record, recordingStatus } = session;
      const parent = streamRows.get(parentId);
      if (parent === undefined) return;
      const row = sessionRows.get(id) ?? addSession(session, parent);
      row.record = session;
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
      if (stream?.record === undefined) return;
      for (const session of stream.sessions.rows) {
        if (session.record !== undefined) sessionRows.delete(session.record.id);
        session.record = undefined;
        beingRecorded.delete(session);
      }
      live.delete(id);
      streamRows.delete(id);
      removeStream(stream, stream.record);
      noteDeleted(sessions, stream.sessions.rows.length);
    },
    stream: (id) => streamRows.get(id)?.record,
    deletedStream: (id) => deletedStreams.get(id),
    session: (id) => sessionRows.get(id)?.record,
    streamByPlaybackId: (playbackId) => rowsByPlaybackId.get(playbackId)?.record,
    liveSession: (streamId) => streamRows.get(streamId)?.live,
    streams,
    deletedStreams: () => deletedStreams.values(),
    sessions,
    sessionsOf: (streamId) => streamRows.get(streamId)?.sessions ?? emptyOrder(),
    version: (streamId) => streamRows.get(streamId)?.version,
    count: () => streamRows.size + sessionRows.size,
    isUnsettled(moment) {
      for (const row of beingRecorded) {
        if ((row.record?.endedAt ?? moment) > moment) return true;
        beingRecorded.delete(row);
      }
      return live.size > 0;
    },
  };
}
