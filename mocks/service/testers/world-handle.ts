import type { StreamRecord } from '../../../fixtures/world-records.ts';
import type { NewStream, Session, Stream } from '../../../interface/types.ts';
import type { Fault, FaultReport } from '../../faults/fault.ts';
import { faultSchema } from '../../faults/schema.ts';
import type { Exchange } from '../../journal/exchange.ts';
import type { HttpArchive } from '../../journal/har.ts';
import { describeValue } from '../../messages/problem.ts';
import { validate } from '../../messages/validate.ts';
import type { AdjustableClock } from '../../state/clock.ts';
import { type ClockSetting, clockSettingSchema } from '../../state/clock-setting.ts';
import { findChangeable, refuseAlways } from '../../state/find.ts';
import { startSchema } from '../../state/record-schemas.ts';
import { whenSaved } from '../commit.ts';
import { type ExportedState, exportedStateSchema } from '../exported-state.ts';
import { startSession, stopSession } from '../sessions.ts';
import { deleteStreams } from '../streams.ts';
import { plainSession, plainStream } from '../views.ts';
import { exportState, importState, ownRecords, resetWorld } from '../whole-world.ts';
import { type OpenWorld, type Requester, testerOf } from '../world.ts';
import { archiveExchanges } from './archive-exchanges.ts';
import { addFault, removeFaults, restoreSnapshot, saveSnapshot, setClock } from './controls.ts';
import { streamWrites } from './writes.ts';

/** A world's clock, for a test to control. */
export interface Clock extends Pick<AdjustableClock, 'now' | 'speed'> {
  /**
   * Advances the clock by milliseconds, or by a text such as `10m`, at most 366 days, and returns the new time.
   * What was due on the way, such as a response that a fault delays, happens in the order in which it was due.
   * @throws Problem 422 for anything else.
   */
  advance(duration: number | string): number;
  /**
   * Sets the clock to a moment: milliseconds since 1970, or a text such as `2027-01-15T12:00:00Z`.
   * @throws Problem 422 for anything else.
   */
  set(moment: number | string): void;
  /** Pauses the clock: it moves only when it is advanced or set. */
  pause(): void;
  /**
   * Lets the clock run, after a pause or at another speed: 60 is a minute in each second of the mock's time
   * source. Without the option `now`, that source stands still.
   * @throws Problem 422 unless `speed` is a number from 0 to 3600.
   */
  run(speed?: number): void;
}

/**
 * Everything that one API key sees, controlled from code. A refused call throws or rejects with a
 * {@link Problem} that has the status and texts of the interface's response, and changes nothing. If the
 * store cannot save a change, the call rejects with 507, and the change stays in effect. Each method
 * returns a copy: changing it does not change the world.
 */
export interface World {
  readonly apiKey: string;
  readonly clock: Clock;
  /**
   * Creates a stream (interface 4.1).
   * @throws Problem 422 for wrong values, 400 if two profiles have the same name, 429 if the mock is full.
   */
  createStream(stream: NewStream): Promise<Stream>;
  /**
   * Switches recording of future sessions on or off (interface 4.2).
   * @throws Problem 404 for an unknown stream, 400 for a session or for a change while the stream is live, 422 if
   * `record` is not a boolean.
   */
  setRecord(streamId: string, record: boolean): Promise<void>;
  /**
   * Deletes a stream with its sessions.
   * @throws Problem 404 for an unknown stream, 400 for a session.
   */
  deleteStream(streamId: string): Promise<void>;
  /**
   * Connects an encoder, which begins a session. With `duration`, in seconds up to 31 days, the session
   * has already ended and lasted that long.
   * @throws Problem 404 for an unknown stream, 400 for a session or a live or suspended stream, 422 for a
   * duration outside that range, 429 if the mock is full.
   */
  start(streamId: string, options?: { duration?: number }): Promise<Session>;
  /**
   * Disconnects the encoder, which ends the session.
   * @throws Problem 404 for an unknown stream, 400 for a session or a stream that is not live.
   */
  stop(streamId: string): Promise<Session>;
  /** Every stream, newest first. */
  streams(): Stream[];
  /** Every session, or those of one stream, newest first; empty for an unknown stream. */
  sessions(streamId?: string): Session[];
  /** The last 1,000 requests of clients since the last reset, with their responses, oldest first. */
  requests(): Exchange[];
  /**
   * The same as an HTTP archive (HAR), which browsers can open and `livestream-mock compare --har` can send to a
   * service. It also has what the world began with, and what was done to it besides the requests: the last 1,000 such
   * actions. Once more than 1,000 streams have changed, those that changed first are described as they are now, or are
   * absent if they were deleted.
   */
  archive(): Promise<HttpArchive>;
  /**
   * Appends a fault. The first one that matches a request applies to it.
   * @throws Problem 422 for a wrong fault or one that this integration cannot produce, 429 if there are too many.
   */
  addFault(fault: Fault): FaultReport;
  /** The faults, and how many requests each has matched. */
  readonly faults: readonly FaultReport[];
  /**
   * Removes the fault with an id, or all faults, and returns the removed ones.
   * @throws Problem 404 if there is none with this id.
   */
  removeFaults(id?: number): FaultReport[];
  /**
   * Saves the world as it is now under a name, until the mock ends.
   * @throws Problem 429 if there are 20 snapshots or the mock is full.
   */
  saveSnapshot(name: string): void;
  /**
   * Restores the world from a snapshot.
   * @throws Problem 404 for an unknown name, 429 if the mock is full.
   */
  restoreSnapshot(name: string): Promise<void>;
  /** The names of the snapshots. */
  readonly snapshots: readonly string[];
  /**
   * Puts the world back to its beginning. Snapshots stay.
   * @throws Problem 429 if the mock is full.
   */
  reset(): Promise<void>;
  /** Everything in the world, as JSON; with `journal` also its requests and faults. */
  exportState(options?: { journal?: boolean }): ExportedState;
  /**
   * Replaces everything in the world with an exported state.
   * @throws Problem 422 if it is not an exported state, 400 if its records contradict each other, 429 if the mock
   * is full.
   */
  importState(state: ExportedState): Promise<void>;
}

const testersByHandle = new WeakMap<World, () => Requester>();

/**
 * The tester who has a handle, for an adapter that shows the world in another way.
 * @throws TypeError for anything but a handle.
 */
export function testerOfHandle(handle: World): Requester {
  const tester = testersByHandle.get(handle);
  if (tester !== undefined) return tester();
  throw new TypeError(
    `world: expected what \`await mock.world()\` returns, got ${describeValue(handle)}`,
  );
}

/** Makes the handle of a world. The media addresses that it returns begin with `origin`. */
export function createHandle(world: OpenWorld, origin: () => string): World {
  const tester = () => testerOf(world, origin());
  const save = <Value>(change: () => Value | Promise<Value>) => whenSaved(world, change);
  const handle: World = {
    apiKey: world.apiKey,
    clock: createClockHandle(world),
    createStream: (stream) =>
      save(() => {
        const [created] = streamWrites.create(world, [stream]);
        return plainStream(world, created as StreamRecord);
      }),
    setRecord: (streamId, record) =>
      save(() => streamWrites.set(world, new Map([[streamId, record]]))),
    deleteStream: (streamId) =>
      save(() => {
        const stream = findChangeable(
          world.state.records,
          streamId,
          'it cannot be deleted',
          refuseAlways,
        );
        deleteStreams(testerOf(world), [stream]);
      }),
    start: (streamId, options) =>
      save(() => startSession(tester(), streamId, validate(startSchema, options))),
    stop: (streamId) => save(() => stopSession(tester(), streamId)),
    streams() {
      const streams = ownRecords(world, world.state.records.streams).toReversed();
      return streams.map((stream) => plainStream(world, stream));
    },
    sessions(parentId) {
      const { records } = world.state;
      const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
      return ownRecords(world, sessions)
        .toReversed()
        .map((session) => plainSession(tester(), session));
    },
    requests: () => world.journal.exchanges(),
    archive: () => archiveExchanges(world),
    addFault: (fault) => addFault(world, validate(faultSchema, fault)),
    get faults() {
      return world.faults.list();
    },
    removeFaults: (id) => removeFaults(world, id),
    saveSnapshot: (name) => saveSnapshot(world, name),
    restoreSnapshot: (name) => save(() => restoreSnapshot(world, name)),
    get snapshots() {
      return [...world.snapshots.keys()];
    },
    reset: () => save(() => resetWorld(world)),
    exportState: ({ journal = false } = {}) => structuredClone(exportState(world, journal)),
    importState: (state) =>
      save(() => importState(world, structuredClone(validate(exportedStateSchema, state)))),
  };
  testersByHandle.set(handle, tester);
  return handle;
}

function createClockHandle(world: OpenWorld): Clock {
  const { now, speed } = world.clock;
  const set = (setting: ClockSetting): void =>
    setClock(world, validate(clockSettingSchema, setting));
  return {
    now,
    speed,
    advance(duration) {
      set({ advance: duration });
      return now();
    },
    set: (moment) => set({ now: moment }),
    pause: () => set({ speed: 0 }),
    run: (speed = 1) => set({ speed }),
  };
}
