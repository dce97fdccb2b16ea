import { createId } from '../../fixtures/ids.ts';
import { createRandom } from '../../fixtures/random.ts';
import { lastMoment } from '../../fixtures/schema.ts';
import { buildWorld, expectedRecords, loadWorld, type WorldName } from '../../fixtures/worlds.ts';
import type { Fault } from '../faults/fault.ts';
import { createFaults, type Faults } from '../faults/faults.ts';
import type { FaultTally } from '../faults/tally.ts';
import type { UnableEffects } from '../faults/unable.ts';
import { createJournal, type Journal, type JournalRoom } from '../journal/journal.ts';
import type { Change, Replacement, Update } from '../state/change.ts';
import {
  type AdjustableClock,
  createClock,
  parseDuration,
  type TimeSource,
} from '../state/clock.ts';
import { type Room, reserve } from '../state/limits.ts';
import { countSaved, type SavedState } from '../state/saved-state.ts';
import { applyUpdate, fillRecords, type State, saveState } from '../state/state.ts';

/** What every world of a mock starts from. */
export interface WorldSettings {
  readonly world: WorldName;
  /** Number of streams in the crowded world. */
  readonly streams: number;
  readonly seed: string;
  /** Milliseconds from the end of a session until its recording is ready. */
  readonly recordingDelay: number;
  readonly time: TimeSource;
  /** What goes wrong in every world from its beginning. */
  readonly faults: readonly Fault[];
  /** What these have met in all worlds. */
  readonly tally: FaultTally;
  /** What faults cannot do here. */
  readonly unable: UnableEffects;
  /** What the journals of all worlds have left together. */
  readonly journalRoom: JournalRoom;
  /** API keys that were given, which no journal may show. */
  readonly secrets: readonly string[];
  /** What all worlds hold together. */
  readonly room: Room;
  /** Told how many streams and sessions of about how many a world has that is being made. */
  readonly progress?: ((done: number, all: number) => void) | undefined;
}

/**
 * What there is to hear of a world: its records have changed, its clock was moved on, a request was
 * answered, its faults have changed.
 */
export type WorldChange = 'state' | 'clock' | 'exchange' | 'faults';

/** All that one API key can see. */
export interface WorldState {
  readonly apiKey: string;
  readonly settings: WorldSettings;
  readonly clock: AdjustableClock;
  /** Changed by {@link commit} and nothing else, as the clock is. */
  state: State;
  readonly journal: Journal;
  faults: Faults;
  /** What was kept of it under a name; it ends with the mock. */
  readonly snapshots: Map<string, SavedState>;
  /** Called after every change, before it is answered. */
  readonly listeners: Set<(change: WorldChange) => void>;
  /** How many of the mock's records are its own. */
  records: number;
  /** How many clients are watching its events. */
  watchers: number;
  /** Has a change kept, where there is a store to keep it. */
  keep: ((change: Change) => void) | undefined;
  /** Settles once all changes are kept. */
  saved: Promise<void>;
}

/** Makes the world of a key as it is at first: the same settings and key give the same records. */
export async function startWorld(settings: WorldSettings, apiKey: string): Promise<WorldState> {
  const clock = createClock(settings.time);
  const plan = { apiKey, seed: settings.seed, now: clock.now(), held: 0 };
  return makeState(settings, plan, (state) => createWorld(settings, apiKey, state, clock));
}

/** Makes the world of a key of a state. */
export function createWorld(
  settings: WorldSettings,
  apiKey: string,
  state: State,
  clock: AdjustableClock,
): WorldState {
  const world: WorldState = {
    apiKey,
    settings,
    clock,
    state,
    journal: createJournal(settings.journalRoom, [apiKey, ...settings.secrets]),
    faults: startingFaults(settings, apiKey),
    snapshots: new Map(),
    listeners: new Set(),
    records: 0,
    watchers: 0,
    keep: undefined,
    saved: Promise.resolve(),
  };
  countRecords(world);
  return world;
}

/** Makes a change of a world: it is applied, kept, and told to who listens. */
export function commit(
  world: WorldState,
  update: Omit<Update, 'at'>,
  announced: WorldChange = 'state',
): void {
  const change = { at: readTime(world.settings), ...update };
  applyUpdate(world.state, change);
  if (change.now !== undefined) world.clock.set(change.now);
  countRecords(world);
  world.keep?.(change);
  announce(world, announced);
}

/**
 * Puts a state in the place of all that a world holds, as one change; `now` is on the world's clock. What
 * comes from a store is not kept again.
 */
export function replaceState(
  world: WorldState,
  state: State,
  now: number,
  origin: 'store' | 'client' = 'client',
): void {
  world.state = state;
  world.clock.set(now);
  countRecords(world);
  if (origin === 'client') world.keep?.(readWhole(world));
  announce(world, 'state');
}

/** All that a world holds, as one change. */
export function readWhole(world: WorldState): Replacement {
  return { at: readTime(world.settings), state: saveState(world.state, world.clock.now()) };
}

/** The mock's own time, by which worlds know how long they were away. */
export function readTime({ time }: WorldSettings): number {
  return Math.round(time.now());
}

/**
 * Moves a world's clock on; returns the new time.
 * @throws RangeError for what is no duration.
 */
export function advanceClock(world: WorldState, duration: number | string): number {
  const now = Math.min(lastMoment, world.clock.now() + parseDuration(duration));
  commit(world, { now }, 'clock');
  return world.clock.now();
}

/**
 * Puts a world back to where it started, its clock with the time source again: a small one at once. A
 * large one answers as it was until all is made.
 */
export function resetWorld(
  world: WorldState,
  origin: 'store' | 'client' = 'client',
): Promise<void> {
  const { apiKey, settings } = world;
  const { seed, records } = world.state;
  const source = createClock(settings.time);
  const plan = { apiKey, seed, now: source.now(), held: records.count() };
  return makeState(settings, plan, (state) => {
    world.journal.clear();
    world.faults = startingFaults(settings, apiKey);
    replaceState(world, state, source.now(), origin);
  });
}

/** Brings the mock's count of records up to date after a change of the world. */
export function countRecords(world: WorldState): void {
  let records = world.state.records.count();
  for (const saved of world.snapshots.values()) records += countSaved(saved);
  world.settings.room.records += records - world.records;
  world.records = records;
}

/** Tells all who listen what has changed. */
export function announce({ listeners }: Pick<WorldState, 'listeners'>, change: WorldChange): void {
  for (const listener of listeners) listener(change);
}

function startingFaults({ seed, faults, tally, unable }: WorldSettings, apiKey: string): Faults {
  return createFaults({ seed: `${seed}/${apiKey}`, initial: faults, tally, unable });
}

/** What a state is made from at first. */
interface StatePlan {
  readonly apiKey: string;
  readonly seed: string;
  /** Milliseconds since 1970; every record lies before it. */
  readonly now: number;
  /** Records of the state whose place it takes. */
  readonly held: number;
}

/** Makes the state that a world starts with, for `use`. */
async function makeState<Result>(
  { world, streams, room, progress }: WorldSettings,
  { apiKey, seed, now, held }: StatePlan,
  use: (state: State) => Result,
): Promise<Result> {
  const expected = expectedRecords(world, streams);
  const release = reserve(room, Math.max(1, expected) - held);
  try {
    const loading = loadWorld(world);
    if (loading !== undefined) await loading;
    const random = createRandom(`${seed}/${apiKey}`);
    const userId = createId(createRandom(`${seed}/${apiKey}/user`));
    const parts = buildWorld(world, { random, now, streams });
    const tell = (made: number) => progress?.(Math.min(made, expected), expected);
    return await fillRecords(parts, tell, (records) => {
      release();
      tell(expected);
      return use({ seed, userId, random: random.state(), records });
    });
  } finally {
    release();
  }
}
