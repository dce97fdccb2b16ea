import { type OpenWorld, readTime } from '../service/world.ts';

/** A world that nobody has asked for in so many milliseconds may leave memory. */
const idleTime = 3_600_000;

/**
 * Whether a world may leave memory because nobody would miss anything: it is idle, and its store has everything that it
 * holds.
 */
export function mayLeave(world: OpenWorld): boolean {
  const { keep, journal } = world;
  return keep !== undefined && mayMakeRoom(world) && journal.exchanges().length === 0;
}

/**
 * Whether a world may leave memory if another one needs its place: only its journal would be missed, and it is idle, or
 * was opened only to look for an id.
 */
export function mayMakeRoom(world: OpenWorld): boolean {
  const { isAsked, faults, snapshots } = world;
  const isUnchanged = world.isSaved?.() ?? world.changes === 0;
  const isKept = isUnchanged && snapshots.size === 0 && faults.areInitial();
  return isKept && !isWatched(world) && (!isAsked || isIdleFor(world, idleTime));
}

/** Whether nobody has asked for a world in so many milliseconds, and nobody watches it. */
export function isAbandoned(world: OpenWorld, milliseconds: number): boolean {
  return !isWatched(world) && isIdleFor(world, milliseconds);
}

function isIdleFor({ settings, usedAt }: OpenWorld, milliseconds: number): boolean {
  return readTime(settings) - usedAt >= milliseconds;
}

/** Whether code has a handle of a world, a client reads its events, or an encoder sends to it. */
function isWatched({ hasHandle, listeners }: OpenWorld): boolean {
  return hasHandle || listeners.size > 0;
}
