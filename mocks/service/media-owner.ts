import { createRandom } from '../../fixtures/random.ts';
import { createId } from '../state/ids.ts';
import type { OpenWorld, WorldSettings } from './world.ts';

/** The id of the user to whom a new world belongs. */
export function newUserId(seed: string, apiKey: string): string {
  return createId(createRandom(`${seed}/${apiKey}/user`));
}

/** By the settings that the worlds of one mock share: the world whose addresses name no owner, by user id. */
const firstWorlds = new WeakMap<WorldSettings, Map<string, OpenWorld>>();

/** Whether a world was the first of its mock to show addresses of its records. It stays so until it has others. */
function isFirst(world: OpenWorld): boolean {
  const worlds = firstWorlds.get(world.settings) ?? new Map<string, OpenWorld>();
  firstWorlds.set(world.settings, worlds);
  const { userId } = world.state;
  const first = worlds.get(userId);
  if (first !== undefined && !first.dropped && first.state.userId === userId) {
    return first === world;
  }
  // Of each world at most one entry is kept, so that imports do not add up.
  for (const [id, other] of worlds) if (other === world) worlds.delete(id);
  worlds.set(userId, world);
  return true;
}

/**
 * Who owns media, as its addresses say: empty for the first world of a mock that has these records, so that a report
 * replays with the same bytes elsewhere; eight digits for others that have imported them. These show no more of the key than
 * the id of its user does.
 */
export function mediaOwner(world: OpenWorld): string {
  return isFirst(world) ? '' : ownerOfKey(world);
}

/** Whether media with this owner in its address is that of a world. */
export function ownsMedia(world: OpenWorld, owner: string): boolean {
  return owner === '' ? isFirst(world) : owner === ownerOfKey(world);
}

function ownerOfKey({ settings, apiKey }: OpenWorld): string {
  return newUserId(settings.seed, apiKey).slice(0, 8);
}

const separator = '~';

/** A session id or playback id as the addresses of a world's media have it: `ID`, or `ID~0123abcd`. */
export function ownedId(world: OpenWorld, id: string): string {
  const owner = mediaOwner(world);
  return owner === '' ? id : `${id}${separator}${owner}`;
}

/** The id and the owner in an address; the inverse of {@link ownedId}. */
export function readOwnedId(owned: string): { readonly id: string; readonly owner: string } {
  const end = owned.lastIndexOf(separator);
  if (end === -1) return { id: owned, owner: '' };
  return { id: owned.slice(0, end), owner: owned.slice(end + separator.length) };
}
