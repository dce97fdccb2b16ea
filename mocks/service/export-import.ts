import { saveState } from '../state/build-state.ts';
import { replaceBySaved, restoreTraffic } from './replace.ts';
import { acceptSnapshot, type Snapshot } from './snapshot.ts';
import { announce, type WorldState } from './world.ts';

/** The state of a world as JSON. With journal and faults, its requests can be sent again. */
export function exportState(world: WorldState, withJournal = false): Snapshot {
  const { clock, state, journal, faults, settings } = world;
  const { dialect } = settings;
  return {
    ...saveState(state, clock),
    ...(dialect && { dialect }),
    ...(withJournal && { journal: journal.exchanges(), faults: faults.state() }),
  };
}

/**
 * Replaces everything that a world holds, including its journal, and its faults if the state has some.
 * @throws Problem 400 when the state contradicts itself or is of another dialect, 422 for a fault that
 * this integration cannot produce, 429 when the mock is full.
 */
export async function importState(world: WorldState, snapshot: Snapshot): Promise<void> {
  const accepted = acceptSnapshot(snapshot, world.settings);
  await replaceBySaved(world, accepted, () => restoreTraffic(world, accepted));
  if (accepted.faults !== undefined) announce(world, 'faults');
}
