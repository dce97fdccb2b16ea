import { createRandom, type ResumableRandom } from '../../fixtures/random.ts';
import { byAge, type WorldSource } from '../../fixtures/world-records.ts';
import { buildWorld, type WorldName } from '../../fixtures/worlds.ts';
import { createFaults } from '../faults/faults.ts';
import { newUserId } from '../state/api-keys.ts';
import type { SavedState } from '../state/change.ts';
import { createClock } from '../state/clock.ts';
import { type Ordered, recordsOf } from '../state/ordered.ts';
import { saveState } from '../state/state.ts';
import { replaceState } from './commit.ts';
import { type ExportedState, refuseUnusableState, savedPart } from './exported-state.ts';
import { buildSession } from './sessions.ts';
import { buildStream } from './streams.ts';
import { announce, createWorld, type OpenWorld, type WorldSettings } from './world.ts';

/** Makes the world of a key from the beginning. @throws Problem 429 if the mock has no room for it */
export function startWorld(settings: WorldSettings, apiKey: string): OpenWorld {
  const world = createWorld(settings, apiKey, firstState(settings, apiKey, settings.seed));
  if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
  return world;
}

/** Resets a world to its beginning, and its clock to the time source. */
export function resetWorld(world: OpenWorld, fromStore = false): void {
  const { apiKey, settings } = world;
  replaceState(world, firstState(settings, apiKey, world.state.seed), fromStore);
  world.journal.clear();
  world.faults = createFaults(`${settings.seed}/${apiKey}`, settings);
  if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
  announce(world, 'exchange');
  announce(world, 'faults');
}

/** Restores the requests and faults of an exported state, if it has them. */
function restoreTraffic(world: OpenWorld, { journal = [], faults }: ExportedState): void {
  world.journal.replace(journal);
  if (faults !== undefined) world.faults.resume(faults);
}

/** The state with which a world begins: the same settings, key and seed give the same records. */
function firstState(settings: WorldSettings, apiKey: string, seed: string): SavedState {
  const { world, others } = settings;
  const source = sourceOf(settings, createRandom(`${seed}/${apiKey}`));
  const state: SavedState =
    typeof world === 'object'
      ? { seed, ...savedPart(world) }
      : namedState(world, source, seed, apiKey);
  if (others === undefined) return state;
  const { streams, sessions } = others.build({ ...source, now: state.now }, apiKey);
  return {
    ...state,
    streams: [...streams, ...state.streams].toSorted(byAge),
    sessions: [...sessions, ...state.sessions].toSorted(byAge),
  };
}

function namedState(
  name: WorldName,
  source: ReturnType<typeof sourceOf>,
  seed: string,
  apiKey: string,
): SavedState {
  const userId = newUserId(seed, apiKey);
  const { streams, sessions } = buildWorld(name, source);
  const random = source.random.state();
  return { version: 2, now: source.now, seed, userId, random, streams, sessions };
}

/** What records of a world are made from. */
function sourceOf({ time, streams, idForms }: WorldSettings, random: ResumableRandom) {
  return {
    random,
    now: createClock(time).now(),
    streams,
    buildStream: (from, createdAt, input) => buildStream(from, createdAt, input, idForms.stream),
    buildSession: (from, parent, begin) => buildSession(from, parent, begin, idForms.session),
  } satisfies WorldSource;
}

/** Whether a record belongs to others who use the account of the world's key. Testers do not see it. */
export function isOfOthers({ settings, apiKey }: OpenWorld, id: string): boolean {
  const { others } = settings;
  return others?.has(id, sourceOf(settings, createRandom('')), apiKey) ?? false;
}

/** The records of a list, oldest first, without those of others. */
export function ownRecords<Item extends { readonly id: string }>(
  world: OpenWorld,
  ordered: Ordered<Item>,
): Item[] {
  const records = recordsOf(ordered);
  if (world.settings.others === undefined) return records;
  return records.filter(({ id }) => !isOfOthers(world, id));
}

/** The state of a world as JSON. With journal and faults, its requests can be sent again. */
export function exportState(world: OpenWorld, withJournal = false): ExportedState {
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
 * @throws Problem 400 if the state contradicts itself or is of another dialect, 422 for a fault that
 * this integration cannot produce, 429 if the mock is full.
 */
export function importState(world: OpenWorld, exported: ExportedState): void {
  refuseUnusableState(exported, world.settings);
  replaceState(world, savedPart(exported));
  restoreTraffic(world, exported);
  announce(world, 'exchange');
  announce(world, 'faults');
}
