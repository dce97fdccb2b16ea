import { createRandom } from '../../fixtures/random.ts';
import { buildWorld } from '../../fixtures/worlds.ts';
import type { Fault, FaultReport } from '../faults/fault.ts';
import { createFaults } from '../faults/faults.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { countSaved, type SavedState } from '../state/change.ts';
import { createClock } from '../state/clock.ts';
import { createId } from '../state/ids.ts';
import { refuseRecords, tooMany } from '../state/limits.ts';
import { saveState } from '../state/state.ts';
import { buildSession } from './sessions.ts';
import { acceptSnapshot, type Snapshot, savedPart } from './snapshot.ts';
import { buildStream } from './streams.ts';
import {
  announce,
  createWorld,
  replaceState,
  type WorldSettings,
  type WorldState,
} from './world.ts';

/*
 * What both the control API and the handle in code do to a world. Callers wait with `whenKept`.
 */

/**
 * Appends a fault.
 * @throws Problem 422 for an effect that this integration cannot produce, 429 when there are too many.
 */
export function addFault(world: WorldState, fault: Fault): FaultReport {
  const report = world.faults.add(fault);
  announce(world, 'faults');
  return report;
}

/**
 * Removes the fault with an id, or all faults.
 * @throws Problem 404 when there is none with this id.
 */
export function removeFaults(world: WorldState, id?: number | string): FaultReport[] {
  const reports = id === undefined ? world.faults.removeAll() : [world.faults.remove(id)];
  announce(world, 'faults');
  return reports;
}

/** Makes the world of a key from the beginning. @throws Problem 429 where the mock has no room for it */
export function startWorld(settings: WorldSettings, apiKey: string): WorldState {
  const world = createWorld(settings, apiKey, firstState(settings, apiKey, settings.seed));
  if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
  return world;
}

/** Resets a world to its beginning, and its clock to the time source. */
export function resetWorld(world: WorldState, fromStore = false): void {
  const { apiKey, settings } = world;
  replaceState(world, firstState(settings, apiKey, world.state.seed), fromStore);
  world.journal.clear();
  world.faults = createFaults(`${settings.seed}/${apiKey}`, settings);
  if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
}

/** Restores the requests and faults of an exported state, if it has them. */
function restoreTraffic(world: WorldState, { journal = [], faults }: Snapshot): void {
  world.journal.replace(journal);
  if (faults !== undefined) world.faults.resume(faults);
}

/** The state with which a world begins: the same settings, key and seed give the same records. */
function firstState(
  { world, time, streams: count }: WorldSettings,
  apiKey: string,
  seed: string,
): SavedState {
  if (typeof world === 'object') return { seed, ...savedPart(world) };
  const now = createClock(time).now();
  const random = createRandom(`${seed}/${apiKey}`);
  const userId = createId(createRandom(`${seed}/${apiKey}/user`));
  const source = { random, now, streams: count, buildStream, buildSession };
  const { streams, sessions } = buildWorld(world, source);
  return { version: 2, now, seed, userId, random: random.state(), streams, sessions };
}

/** The state of a world as JSON. With journal and faults, its requests can be sent again. */
export function exportState(world: WorldState, withJournal = false): Snapshot {
  const { clock, state, journal, faults, settings } = world;
  const { dialectFile: dialect } = settings;
  return {
    ...saveState(state, clock.now(), clock.speed()),
    ...(dialect && { dialect }),
    ...(withJournal && { journal: journal.exchanges(), faults: faults.state() }),
  };
}

/**
 * Replaces everything that a world holds, including its journal, and its faults if the state has some.
 * @throws Problem 400 when the state contradicts itself or is of another dialect, 422 for a fault that
 * this integration cannot produce, 429 when the mock is full.
 */
export function importState(world: WorldState, snapshot: Snapshot): void {
  const accepted = acceptSnapshot(snapshot, world.settings);
  replaceState(world, savedPart(accepted));
  restoreTraffic(world, accepted);
  if (accepted.faults !== undefined) announce(world, 'faults');
}

/** Maximum number of snapshots of one world. */
const maxSnapshots = 20;

/**
 * Saves a world as it is now under a name, until the mock ends.
 * @throws Problem 429 when there are too many, or the mock is full.
 */
export function saveSnapshot(world: WorldState, name: string): void {
  const { settings, snapshots, state, clock } = world;
  if (!snapshots.has(name) && snapshots.size >= maxSnapshots) {
    throw tooMany('snapshots', `at most ${maxSnapshots} in one world`, 'delete one first');
  }
  const before = snapshots.get(name);
  refuseRecords(settings.recordCount, state.records.count() - (before ? countSaved(before) : 0));
  snapshots.set(name, saveState(state, clock.now(), clock.speed()));
}

/**
 * Restores a world from a snapshot.
 * @throws Problem 404 for an unknown name, 429 when the mock is full.
 */
export function restoreSnapshot(world: WorldState, name: string): void {
  replaceState(world, findSnapshot(world, name));
  world.journal.addAction({ kind: 'restored' });
}

/**
 * Deletes a snapshot.
 * @throws Problem 404 for an unknown name.
 */
export function deleteSnapshot(world: WorldState, name: string): void {
  findSnapshot(world, name);
  world.snapshots.delete(name);
}

function findSnapshot({ snapshots }: WorldState, name: string): SavedState {
  const snapshot = snapshots.get(name);
  if (snapshot !== undefined) return snapshot;
  const expected = 'the name of a snapshot that was saved';
  throw new Problem('unknown', { path: 'name', expected, got: describeValue(name) });
}
