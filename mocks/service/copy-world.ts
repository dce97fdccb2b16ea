import { createFaults } from '../faults/faults.ts';
import { createJournal, createJournalRoom } from '../journal/journal.ts';
import type { SavedState } from '../state/change.ts';
import { createClock } from '../state/clock.ts';
import { readState, type State, saveState } from '../state/state.ts';
import type { OpenWorld, WorldSettings } from './world.ts';

/** A world as it was at one moment, from which copies can be made. */
export interface WorldMoment {
  readonly world: OpenWorld;
  readonly saved: SavedState;
}

/** The last moment of each world, as long as its records stay as they are. */
const lastMoments = new WeakMap<
  OpenWorld,
  { readonly changes: number; readonly moment: WorldMoment }
>();

/** What a world is now. Records are never modified, so this costs as much as a list of them, once for each change. */
export function momentOfWorld(world: OpenWorld): WorldMoment {
  const { state, clock, changes } = world;
  const last = lastMoments.get(world);
  const saved =
    last?.changes === changes
      ? { ...last.moment.saved, now: clock.now(), speed: clock.speed() }
      : saveState(state, clock.now(), clock.speed());
  const moment = { world, saved };
  lastMoments.set(world, { changes, moment });
  return moment;
}

/**
 * A copy of a world as it was, whose clock stands still. Nobody else sees what is done to it: it has no faults, is kept
 * nowhere, and its journal is its own.
 */
export function copyWorld(
  { world, saved }: WorldMoment,
  settings: WorldSettings,
  read: (saved: SavedState) => State = readState,
): OpenWorld {
  const { keep: _, hold: __, ...copied } = world;
  const clock = createClock({ now: () => 0 });
  clock.set(saved.now, 0);
  return {
    ...copied,
    settings,
    clock,
    state: read(saved),
    journal: createJournal(createJournalRoom(), []),
    faults: createFaults('', { ...settings, faults: [] }),
    snapshots: new Map(),
    originals: new Map(),
    moments: [],
    listeners: new Set(),
  };
}
