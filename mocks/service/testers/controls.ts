import { lastMoment } from '../../../interface/schemas.ts';
import type { Fault, FaultReport } from '../../faults/fault.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import type { ClockSetting } from '../../state/clock-setting.ts';
import { parseDuration } from '../../state/duration.ts';
import { refuseRecords, tooMany } from '../../state/limits.ts';
import { saveState } from '../../state/state.ts';
import { commit, replaceState } from '../commit.ts';
import { announce, type OpenWorld, type Snapshot, testerOf } from '../world.ts';

/** Maximum number of snapshots of one world. */
const maxSnapshots = 20;

/**
 * Saves a world as it is now under a name, until the mock ends.
 * @throws Problem 429 if there are too many, or the mock is full.
 */
export function saveSnapshot(world: OpenWorld, name: string): void {
  const { settings, snapshots, state, clock } = world;
  if (!snapshots.has(name) && snapshots.size >= maxSnapshots) {
    throw tooMany('snapshots', `at most ${maxSnapshots} in one world`, 'delete one first');
  }
  const count = state.records.count();
  refuseRecords(settings.recordCount, count - (snapshots.get(name)?.count ?? 0));
  snapshots.set(name, { saved: saveState(state, clock.now(), clock.speed()), count });
  announce(world, 'snapshots');
}

/**
 * Restores a world from a snapshot.
 * @throws Problem 404 for an unknown name, 429 if the mock is full.
 */
export function restoreSnapshot(world: OpenWorld, name: string): void {
  replaceState(world, findSnapshot(world, name).saved);
}

/**
 * Deletes a snapshot.
 * @throws Problem 404 for an unknown name.
 */
export function deleteSnapshot(world: OpenWorld, name: string): void {
  findSnapshot(world, name);
  world.snapshots.delete(name);
  announce(world, 'snapshots');
}

function findSnapshot({ snapshots }: OpenWorld, name: string): Snapshot {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  const expected = 'the name of a snapshot that was saved';
  throw new Problem('unknown', { path: 'name', expected, got: describeValue(name) });
}

/** Advances or sets a world's clock, or changes its speed. */
export function setClock(world: OpenWorld, { advance, now, speed }: ClockSetting): void {
  const at = world.clock.now();
  const milliseconds = advance === undefined ? 0 : parseDuration(advance);
  const moment = now === undefined ? at + milliseconds : Number(new Date(now));
  const to = Math.min(lastMoment, moment);
  commit(testerOf(world), { now: to, ...(speed !== undefined && { speed }) }, at);
}

/**
 * Appends a fault.
 * @throws Problem 422 for an effect that this integration cannot produce, 429 if there are too many.
 */
export function addFault(world: OpenWorld, fault: Fault): FaultReport {
  const report = world.faults.add(fault);
  announce(world, 'faults');
  return report;
}

/**
 * Removes the fault with an id, or all faults.
 * @throws Problem 404 if there is none with this id.
 */
export function removeFaults(world: OpenWorld, id?: number | string): FaultReport[] {
  const reports = id === undefined ? world.faults.removeAll() : [world.faults.remove(id)];
  announce(world, 'faults');
  return reports;
}
