import { describeValue, Problem } from '../problems/problem.ts';
import { saveState } from '../state/build-state.ts';
import { refuseRecords } from '../state/limits.ts';
import { countSaved, type SavedState } from '../state/saved-state.ts';
import { replaceBySaved } from './replace.ts';
import { countRecords, type WorldState } from './world.ts';

/** Most snapshots of one world. */
const mostSnapshots = 20;
const nameForm = /^(?! )[\w. -]{1,64}(?<! )$/;

/**
 * Saves a world as it is now under a name, until the mock ends.
 * @throws Problem 429 when there are too many, or the mock is full; 422 for a malformed name.
 */
export function saveSnapshot(world: WorldState, name: string): void {
  const { settings, snapshots, state, clock } = world;
  refuseName(name);
  if (!snapshots.has(name) && snapshots.size >= mostSnapshots) {
    throw new Problem('full', {
      path: 'snapshots',
      expected: `at most ${mostSnapshots} of a world`,
      got: 'another',
      advice: 'delete one first',
    });
  }
  const before = snapshots.get(name);
  refuseRecords(settings.recordCount, state.records.count() - (before ? countSaved(before) : 0));
  snapshots.set(name, saveState(state, clock));
  countRecords(world);
}

/**
 * Restores a world from a snapshot.
 * @throws Problem 404 for an unknown name, 422 for a malformed one, 429 when the mock is full.
 */
export async function restoreSnapshot(world: WorldState, name: string): Promise<void> {
  await replaceBySaved(world, findSnapshot(world, name));
}

/**
 * Deletes a snapshot.
 * @throws Problem 404 for an unknown name, 422 for a malformed one.
 */
export function deleteSnapshot(world: WorldState, name: string): void {
  findSnapshot(world, name);
  world.snapshots.delete(name);
  countRecords(world);
}

function findSnapshot({ snapshots }: WorldState, name: string): SavedState {
  refuseName(name);
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  throw new Problem('unknown', {
    path: 'name',
    expected: 'the name of a snapshot that was saved',
    got: describeValue(name),
  });
}

function refuseName(name: string): void {
  if (nameForm.test(name)) return;
  throw new Problem('invalid', {
    path: 'name',
    expected: '1 to 64 letters, digits, ".", "_", "-" or spaces, no space at its ends',
    got: describeValue(name),
  });
}
