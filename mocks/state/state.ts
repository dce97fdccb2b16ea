import type { WorldContents } from '../../fixtures/world-records.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { Change, Replacement, SavedState, Update } from './change.ts';
import { addRow, emptyOrder, type Ordered, type Row, recordsOf } from './ordered.ts';

/**
 * The streams and sessions of one world, with an index for each way to look them up. A record is never
 * modified: a new one replaces it at the same place in the order.
 */
export type Records = ReturnType<typeof createRecords>;

interface StreamRow extends Row<StreamRecord> {
  readonly sessions: Ordered<SessionRecord>;
  live: SessionRecord | undefined;
  version: number;
}

let versions = 0;

/** Creates an empty set of records. */
export function createRecords() {
  const streamRows = new Map<string, StreamRow>();
  const sessionRows = new Map<string, Row<SessionRecord>>();
  const rowsByPlaybackId = new Map<string, StreamRow>();
  const streams = emptyOrder<StreamRecord>();
  const sessions = emptyOrder<SessionRecord>();

  const known = (row: StreamRow | undefined): StreamRecord | undefined =>
    row?.record.deletedAt === undefined ? row?.record : undefined;
  const addStream = (record: StreamRecord): StreamRow => {
    const row: StreamRow = {
      place: streams.end,
      record,
      sessions: emptyOrder(),
      live: undefined,
      version: 0,
    };
    streamRows.set(record.id, row);
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
  return {
    /** Adds a stream, or replaces the one with its id; one that is deleted stays known by its id. */
    putStream(stream: StreamRecord): void {
      const row = streamRows.get(stream.id) ?? addStream(stream);
      row.record = stream;
      row.version = ++versions;
      if (stream.deletedAt !== undefined) streams.rows = streams.rows.filter((one) => one !== row);
    },
    /** Adds a session, or replaces the one with its id; a session of an unknown stream is ignored. */
    putSession(session: SessionRecord): void {
      const parent = streamRows.get(session.parentId);
      if (parent === undefined) return;
      const row = sessionRows.get(session.id) ?? addSession(session, parent);
      row.record = session;
      parent.version = ++versions;
      if (session.endedAt === undefined) parent.live = session;
      else if (parent.live?.id === session.id) parent.live = undefined;
    },
    /** Deletes a stream with its sessions. */
    deleteStream(id: string): void {
      const row = streamRows.get(id);
      if (row === undefined) return;
      const gone: ReadonlySet<Row<SessionRecord>> = new Set(row.sessions.rows);
      for (const { record } of gone) sessionRows.delete(record.id);
      if (gone.size > 0) sessions.rows = sessions.rows.filter((one) => !gone.has(one));
      streams.rows = streams.rows.filter((one) => one !== row);
      streamRows.delete(id);
      rowsByPlaybackId.delete(row.record.playbackId);
    },
    stream: (id: string) => known(streamRows.get(id)),
    /** A deleted stream whose id or sessions stay known. */
    deletedStream(id: string): StreamRecord | undefined {
      const row = streamRows.get(id);
      return row?.record.deletedAt === undefined ? undefined : row.record;
    },
    session: (id: string) => sessionRows.get(id)?.record,
    streamByPlaybackId: (playbackId: string) => known(rowsByPlaybackId.get(playbackId)),
    liveSession: (streamId: string) => streamRows.get(streamId)?.live,
    streams,
    deletedStreams(): StreamRecord[] {
      const all = [...streamRows.values()].map(({ record }) => record);
      return all.filter(({ deletedAt }) => deletedAt !== undefined);
    },
    sessions,
    sessionsOf: (streamId: string): Ordered<SessionRecord> =>
      streamRows.get(streamId)?.sessions ?? emptyOrder(),
    /** A number that changes with the stream and with each of its sessions; it is never reused. */
    version: (streamId: string) => streamRows.get(streamId)?.version,
    /** How many streams and sessions there are. */
    count: () => streamRows.size + sessionRows.size,
  };
}

/** Everything that is kept of a world, except its clock. */
export interface State {
  /** The seed with which the world starts again. */
  seed: string;
  /** The account of the API key. */
  userId: string;
  /** State of the random generator. */
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
function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
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
 * The changes of a world, oldest first, as one.
 * @throws Error when the first change is not a whole state.
 */
export function combine(changes: readonly Change[]): Replacement {
  let state: State | undefined;
  let at = 0;
  let shown = 0;
  let speed = 1;
  for (const change of changes) {
    const isWhole = 'state' in change;
    const made = isWhole ? change.state : change;
    shown = made.now ?? shown + (change.at - at) * speed;
    speed = made.speed ?? (isWhole ? 1 : speed);
    at = change.at;
    if (isWhole) state = readState(change.state);
    else if (state === undefined) break;
    else applyUpdate(state, change);
  }
  if (state === undefined) throw new Error('changes: expected a whole state first, got none');
  return { at, state: saveState(state, Math.round(shown), speed) };
}

/** Whether an update has suspended a stream. */
export function isSuspended({ further }: StreamRecord): boolean {
  return further?.['suspended'] === true;
}
