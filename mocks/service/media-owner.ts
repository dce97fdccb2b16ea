import { newUserId } from '../state/api-keys.ts';
import type { OpenWorld, WorldSettings } from './world.ts';

/** By the settings that the worlds of one mock share: the world whose addresses name no owner, by user id. */
const firstWorlds = new WeakMap<WorldSettings, Map<string, OpenWorld>>();

/**
 * Decides whose media the addresses of a world say, once whenever a state enters it. The first world of a mock that has
 * these records names no owner, so that a report replays with the same bytes elsewhere. Others that have imported them name
 * eight digits, which show no more of the key than the id of its user does. If the world is kept, others may open first
 * after a restart, so then only the key under which the records began names no owner.
 */
export function claimMedia(world: OpenWorld): void {
  releaseMedia(world);
  const worlds = firstWorlds.get(world.settings) ?? new Map<string, OpenWorld>();
  firstWorlds.set(world.settings, worlds);
  const { apiKey, state } = world;
  const ownUserId = newUserId(state.seed, apiKey);
  const isImported = state.userId !== ownUserId;
  if (worlds.has(state.userId) || (isImported && world.keep !== undefined)) {
    world.mediaOwner = ownUserId.slice(0, 8);
  } else {
    worlds.set(state.userId, world);
    world.mediaOwner = '';
  }
}

/** Forgets a world that gets another state, or that another process has taken. */
export function releaseMedia(world: OpenWorld): void {
  const worlds = firstWorlds.get(world.settings);
  for (const [userId, first] of worlds ?? []) {
    if (first === world) worlds?.delete(userId);
  }
}

const separator = '~';

/** A session id or playback id as the addresses of a world's media have it: `ID`, or `ID~0123abcd`. */
export function ownedId({ mediaOwner }: OpenWorld, id: string): string {
  return mediaOwner === '' ? id : `${id}${separator}${mediaOwner}`;
}

/** The id and the owner in an address; the inverse of {@link ownedId}. */
export function readOwnedId(owned: string): { readonly id: string; readonly owner: string } {
  const end = owned.lastIndexOf(separator);
  if (end === -1) return { id: owned, owner: '' };
  return { id: owned.slice(0, end), owner: owned.slice(end + separator.length) };
}
