import * as z from 'zod';
import {
  refuseContradictions,
  restoreSnapshot,
  type Snapshot,
  snapshotSchema,
  takeSnapshot,
} from '../snapshot.ts';
import { validate } from '../validate.ts';
import type { WorldState } from '../world.ts';

/** A world as a {@link Store} keeps it. */
export interface SavedWorld {
  /** When it was saved: milliseconds since 1970 on the mock's time source. */
  readonly at: number;
  readonly state: Snapshot;
}

/** Keeps worlds beyond the life of a mock. */
export interface Store {
  /** The world of that name; `undefined` where none is kept. */
  load(name: string): Promise<SavedWorld | undefined>;
  /** Resolves once what `read` returns is kept; no change is answered before. */
  save(name: string, read: () => SavedWorld): Promise<void>;
  /** Names of the worlds that are kept. */
  names(): Promise<readonly string[]>;
  /** Calls `changed` when somebody else, such as another tab, has saved a world. */
  watch?(changed: (name: string) => void): void;
}

const savedWorldSchema: z.ZodType<SavedWorld> = z.strictObject(
  { at: z.number('a number of milliseconds'), state: snapshotSchema },
  'a world that this mock has saved',
);

/**
 * Reads a saved world out of JSON.
 * @throws Problem 422 or 400, which says where it is not one.
 */
export function readSavedWorld(value: unknown): SavedWorld {
  const saved = validate(savedWorldSchema, value);
  refuseContradictions(saved.state);
  return saved;
}

/**
 * Gives a world what `store` keeps under `name`, and has it and every change of it kept from then
 * on. Time has passed in the meantime, as far as the time source says so.
 */
export async function keepWorld(world: WorldState, store: Store, name: string): Promise<void> {
  const load = async (): Promise<boolean> => {
    const saved = await store.load(name);
    if (saved === undefined) return false;
    const passed = Math.max(0, world.settings.time.now() - saved.at);
    const state = { ...saved.state, now: saved.state.now + passed };
    await restoreSnapshot(world, state, 'loaded');
    return true;
  };
  const read = (): SavedWorld => ({ at: world.settings.time.now(), state: takeSnapshot(world) });
  // What it starts with was made at this moment, and clients see it. Where it cannot be kept they may
  // still look: the first change will say so.
  if (!(await load())) await store.save(name, read).catch(() => {});
  world.listeners.add((change) => {
    if (change !== 'state' && change !== 'clock') return;
    world.saved = store.save(name, read);
    // Whoever waits for it hears of it; code that moves the clock on does not wait.
    world.saved.catch(() => {});
  });
  store.watch?.((changed) => {
    if (changed === name) void load();
  });
}

/** The name under which a world is kept: keys that were given are secrets and leave no trace. */
export async function storedName(
  apiKeys: readonly string[] | undefined,
  apiKey: string,
): Promise<string> {
  if (apiKeys === undefined) return apiKey;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
