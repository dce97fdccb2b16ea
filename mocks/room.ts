import { Problem } from './problem.ts';

/** What all worlds of a mock hold together, so that a runaway test ends before the memory does. */
export interface Room {
  /** API keys in use. */
  worlds: number;
  /** Streams and sessions, those in snapshots too. */
  records: number;
}

/** Most that a mock holds. */
export const roomLimits: Room = { worlds: 1_000, records: 400_000 };

/**
 * Refuses to add `more` to a mock that has no room for them.
 * @throws Problem 429
 */
export function refuseWhenFull(room: Room, kind: keyof Room, more = 1): void {
  if (room[kind] + more <= roomLimits[kind]) return;
  throw new Problem(
    429,
    `${kind}: expected at most ${roomLimits[kind]} in one mock, ${advice[kind]}`,
  );
}

const advice = {
  worlds: 'got another API key; use fewer keys, or a mock of its own for each run',
  records: 'got another stream or session; delete some, or reset a world',
} as const satisfies Record<keyof Room, string>;
