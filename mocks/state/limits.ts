import { Problem } from '../problem.ts';

/** What all worlds of a mock hold together, so that a runaway test ends before the memory does. */
export interface Room {
  /** Streams and sessions, those in snapshots too. */
  records: number;
}

/** Most that a mock holds: API keys in use, and streams and sessions of all of them. */
export const roomLimits = { worlds: 1_000, records: 400_000 } as const;

const advice = {
  worlds: 'got another API key; use fewer keys, or a mock of its own for each run',
  records: 'got another stream or session; delete some, or a snapshot, or reset a world',
} as const satisfies Record<keyof typeof roomLimits, string>;

/**
 * Refuses a number that a mock has no room for.
 * @throws Problem 429
 */
export function refuseBeyond(kind: keyof typeof roomLimits, count: number): void {
  if (count <= roomLimits[kind]) return;
  throw new Problem(
    429,
    `${kind}: expected at most ${roomLimits[kind]} in one mock, ${advice[kind]}`,
  );
}

/**
 * Takes room for records that are yet to be made, so that those who make them at once do not pass the
 * limit together; returns what gives it back once they are counted, or never will be.
 * @throws Problem 429
 */
export function reserve(room: Room, records: number): () => void {
  const taken = Math.max(0, records);
  if (taken > 0) refuseBeyond('records', room.records + taken);
  room.records += taken;
  return () => {
    room.records -= taken;
  };
}
