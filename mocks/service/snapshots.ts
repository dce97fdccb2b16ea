import { describeValue, Problem } from '../problem.ts';
import type { Snapshot } from './snapshot.ts';

/** What a world has kept of itself, by name. */
export interface Snapshots {
  /** @throws Problem 429 when there are too many, 422 for a name out of its form. */
  save(name: string, snapshot: Snapshot): void;
  /** @throws Problem 404 when nothing was kept under that name, 422 for a name out of its form. */
  get(name: string): Snapshot;
  /** @throws Problem as {@link Snapshots.get} does. */
  remove(name: string): void;
  names(): string[];
  /** How many streams and sessions they hold together, or the one of that name does. */
  records(name?: string): number;
}

/** Snapshots that a world may keep: each costs as much as the world itself. */
const mostSnapshots = 20;
const nameForm = /^[\w.-]{1,64}$/;

/** Makes room for a world's snapshots. */
export function createSnapshots(): Snapshots {
  const kept = new Map<string, Snapshot>();
  const find = (name: string): Snapshot => {
    refuseName(name);
    const snapshot = kept.get(name);
    if (snapshot !== undefined) return snapshot;
    throw new Problem(
      404,
      `name: expected the name of a snapshot that was saved, got ${describeValue(name)}`,
    );
  };
  return {
    save(name, snapshot) {
      refuseName(name);
      if (!kept.has(name) && kept.size >= mostSnapshots) {
        throw new Problem(
          429,
          `snapshots: expected at most ${mostSnapshots} of a world, got another; delete one first`,
        );
      }
      kept.set(name, structuredClone(snapshot));
    },
    get: (name) => structuredClone(find(name)),
    remove(name) {
      find(name);
      kept.delete(name);
    },
    names: () => [...kept.keys()],
    records: (name) =>
      [...kept]
        .filter(([candidate]) => name === undefined || candidate === name)
        .reduce((sum, [, { streams, sessions }]) => sum + streams.length + sessions.length, 0),
  };
}

function refuseName(name: string): void {
  if (nameForm.test(name)) return;
  throw new Problem(
    422,
    `name: expected 1 to 64 letters, digits, ".", "_" or "-", got ${describeValue(name)}`,
  );
}
