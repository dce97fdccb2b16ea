import * as z from 'zod';
import {
  refuseContradictions,
  replaceContents,
  type Snapshot,
  snapshotSchema,
  takeSnapshot,
} from '../service/exported-state.ts';
import { exclusively, restartWorld, type WorldState } from '../service/world.ts';
import { validate } from '../validate.ts';

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
  /**
   * Resolves once what `read` returns is kept; no change is answered before. It is the world itself that
   * is read: to be written down, not to be changed.
   */
  save(name: string, read: () => SavedWorld): Promise<void>;
  /** Names of the worlds that are kept. */
  names(): Promise<readonly string[]>;
  /** Calls `changed` when somebody else, such as another tab, has saved or removed that world. */
  watch?(name: string, changed: () => void): void;
}

const savedWorldSchema: z.ZodType<SavedWorld> = z.strictObject(
  { at: z.number('a number of milliseconds'), state: snapshotSchema },
  'a world that this mock has saved',
);

/**
 * Reads a saved world out of JSON.
 * @throws Problem 422, which says where it is not one; 400 when its records contradict each other.
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
  const read = (): SavedWorld => ({ at: world.settings.time.now(), state: takeSnapshot(world) });
  const saved = await store.load(name);
  // What it starts with was made at this moment, and clients see it. Where it cannot be kept they may
  // still look: the first change will say so.
  if (saved === undefined) await store.save(name, read).catch(() => {});
  else await exclusively(world, () => loadWorld(world, saved), 'loaded');
  world.listeners.add((change) => {
    if (change !== 'state' && change !== 'clock') return;
    world.saved = store.save(name, read);
    // Whoever waits for it hears of it; code that moves the clock on does not wait.
    world.saved.catch(() => {});
  });
  store.watch?.(name, () => {
    // What cannot be read changes nothing here: the world goes on as it is.
    followStore(world, store, name).catch(() => {});
  });
}

/** Does to a world what somebody else has done to what is kept of it. */
async function followStore(world: WorldState, store: Store, name: string): Promise<void> {
  await exclusively(
    world,
    async () => {
      const saved = await store.load(name);
      await (saved === undefined ? restartWorld(world) : loadWorld(world, saved));
    },
    'loaded',
  );
}

async function loadWorld(world: WorldState, { at, state }: SavedWorld): Promise<void> {
  const passed = Math.max(0, world.settings.time.now() - at);
  // A reset goes by the options that the mock has now.
  const { seed } = world;
  await replaceContents(world, { ...state, seed, now: state.now + passed });
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
