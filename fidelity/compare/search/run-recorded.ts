import type { Behaviours } from '../../../interface/silent.ts';
import type { Move } from '../moves/move.ts';
import { type Clock, type NotSent, startRun } from '../run/run.ts';
import { type Outcome, runSequence } from '../run/run-sequence.ts';
import type { Service, Two } from '../run/services.ts';
import { leftOut, type RunOptions, type Search } from './search.ts';

/**
 * Times of the mock with which recorded responses are tried: where the target's session was ready, that
 * of the mock has to be, and no time passes while responses are replayed.
 */
export const replayTimes: readonly Partial<Behaviours>[] = [
  {},
  { 'time.ready': 0, 'time.listed': 0 },
];

/** Runs a sequence with what was recorded as it ran with the same rows, on a clock of its own. */
export async function runRecorded(
  search: Search,
  moves: readonly Move[],
  services: (clock: Clock) => Two<Service>,
  { isMasked = () => false, rows = {}, notSent }: RunOptions & { notSent?: NotSent },
): Promise<Outcome> {
  const { sharedLists, clock, withoutKeys } = search;
  let time = clock.now();
  const own: Clock = {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds;
    },
  };
  const leaveOut = leftOut(search, rows);
  // What was recorded does not change when it is asked for again.
  const patience = 0;
  const run = startRun(
    { services: services(own), leaveOut, clock: own, patience, withoutKeys, notSent },
    new Set(sharedLists),
  );
  return runSequence(run, moves, isMasked, () => false);
}
