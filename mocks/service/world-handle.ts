import { newStreamSchema, recordSwitchSchema, startSchema } from '../../interface/schemas.ts';
import type {
  NewStream,
  Session,
  SessionRecord,
  Stream,
  StreamRecord,
} from '../../interface/types.ts';
import type { Fault } from '../faults/effects/effects.ts';
import type { FaultReport } from '../faults/fault.ts';
import { faultSchema } from '../faults/schema.ts';
import type { Exchange } from '../journal/exchange.ts';
import { describeValue } from '../problems/problem.ts';
import { validate, validateLarge } from '../problems/validate.ts';
import { exportState, importState, type Snapshot, snapshotSchema } from './export-import.ts';
import { restoreSnapshot, saveSnapshot } from './named-snapshots.ts';
import { listSessions, listStreams } from './queries.ts';
import { resetWorld } from './replace.ts';
import { startSession, stopSession, viewSession } from './sessions.ts';
import { createStream, deleteStream, setRecord, viewStream } from './streams.ts';
import { advanceClock, announce, type WorldState, whenKept } from './world.ts';

/** A world's clock, which follows the time source that the mock was given. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Moves the clock on by milliseconds, or by a text such as `10m`; returns the new time.
   * @throws RangeError for anything else.
   */
  advance(duration: number | string): number;
}

/**
 * All that one API key can see, steered from code. A refused call rejects with a {@link Problem},
 * which has the status and the texts that the interface would answer with, and changes nothing.
 */
export interface World {
  readonly apiKey: string;
  readonly clock: Clock;
  /** Creates a stream (interface 4.1). */
  createStream(stream: NewStream): Promise<Stream>;
  /** Switches recording of future sessions (interface 4.2). */
  setRecord(streamId: string, record: boolean): Promise<void>;
  /** Deletes a stream with its sessions. */
  deleteStream(streamId: string): Promise<void>;
  /** An encoder connects. With `duration`, in seconds, it has been and gone, that long. */
  start(streamId: string, options?: { duration?: number }): Promise<Session>;
  /** The encoder disconnects. */
  stop(streamId: string): Promise<Session>;
  /** Every stream, newest first. */
  streams(): Stream[];
  /** Every session, or those of one stream, newest first. */
  sessions(streamId?: string): Session[];
  /** What clients have sent and been answered since the last reset, oldest first: the last 1,000. */
  requests(): Exchange[];
  /** Has something go wrong from now on; the first fault that meets a request counts. */
  addFault(fault: Fault): FaultReport;
  /** The faults, and how often each has matched. */
  readonly faults: readonly FaultReport[];
  /** Ends a fault, or without its id all; returns what they met. */
  removeFaults(id?: number): FaultReport[];
  /** Keeps the world as it is now under a name. */
  saveSnapshot(name: string): void;
  /** Puts the world back to what was kept under a name. */
  restoreSnapshot(name: string): Promise<void>;
  /** Names of what was kept. */
  readonly snapshots: readonly string[];
  /** Puts the world back to where it started. */
  reset(): Promise<void>;
  /** All that the world holds, as JSON; with its journal where `journal` is true. */
  exportState(options?: { journal?: boolean }): Snapshot;
  /** Replaces all that the world holds by an exported state. */
  importState(state: Snapshot): Promise<void>;
}

/** What a handle steers, and how the media addresses that it returns begin. */
interface Steered {
  readonly steered: WorldState;
  readonly origin: () => string;
}

const steered = new WeakMap<World, Steered>();

/**
 * What a handle steers, for an adapter that shows a world in another way.
 * @throws TypeError when it is no handle of a world.
 */
export function steeredBy(handle: World): Steered {
  const found = steered.get(handle);
  if (found !== undefined) return found;
  throw new TypeError(
    `world: expected what \`await mock.world()\` returns, got ${describeValue(handle)}`,
  );
}

/**
 * The handle of a world; `origin` begins the media addresses that it returns. What it returns is a
 * copy, so that a caller who changes it does not change the world.
 */
export function createHandle(world: WorldState, origin: () => string): World {
  const all = { limit: Number.POSITIVE_INFINITY };
  const showStream = (stream: StreamRecord): Stream => viewStream(world, stream);
  const showSession = (session: SessionRecord): Session => viewSession(world, session, origin());
  const kept = <Value>(change: () => Value | Promise<Value>) => whenKept(world, change);
  const handle: World = {
    apiKey: world.apiKey,
    clock: { now: world.clock.now, advance: (duration) => advanceClock(world, duration) },
    async createStream(stream) {
      const checked = structuredClone(validate(newStreamSchema, stream));
      return kept(() => showStream(createStream(world, checked)));
    },
    async setRecord(streamId, record) {
      const checked = validate(recordSwitchSchema, { record });
      return kept(() => setRecord(world, streamId, checked.record));
    },
    async deleteStream(streamId) {
      return kept(() => deleteStream(world, streamId));
    },
    async start(streamId, options) {
      const { duration } = validate(startSchema, options) ?? {};
      return kept(() => showSession(startSession(world, streamId, duration)));
    },
    async stop(streamId) {
      return kept(() => showSession(stopSession(world, streamId)));
    },
    streams: () => listStreams(world, all).records.map(showStream),
    sessions: (parentId) => listSessions(world, { parentId }, all).records.map(showSession),
    requests: () => world.journal.exchanges(),
    addFault(fault) {
      const report = world.faults.add(validate(faultSchema, fault));
      announce(world, 'faults');
      return report;
    },
    get faults() {
      return world.faults.list();
    },
    removeFaults(id) {
      const removed = id === undefined ? world.faults.removeAll() : [world.faults.remove(id)];
      announce(world, 'faults');
      return removed;
    },
    saveSnapshot: (name) => saveSnapshot(world, name),
    async restoreSnapshot(name) {
      return kept(() => restoreSnapshot(world, name));
    },
    get snapshots() {
      return [...world.snapshots.keys()];
    },
    async reset() {
      return kept(() => resetWorld(world));
    },
    exportState: ({ journal = false } = {}) => structuredClone(exportState(world, journal)),
    async importState(state) {
      const checked = structuredClone(validateLarge(snapshotSchema, state));
      return kept(() => importState(world, checked));
    },
  };
  steered.set(handle, { steered: world, origin });
  return handle;
}
