import type { Move } from '../moves/move.ts';
import { prepareCleaning } from '../run/clean.ts';
import { startRun } from '../run/run.ts';
import { asUnknown, type Outcome, runSequence } from '../run/run-sequence.ts';
import { addRows, leftOut, type RunOptions, type Search } from './search.ts';
import { isUndecided } from './undecided.ts';

/**
 * Runs a sequence on both sides, on new streams, and cleans up.
 * @param options with `records` the recorders keep what the targets respond, until they end it
 */
export async function runOnce(
  search: Search,
  moves: readonly Move[],
  options: RunOptions & { records?: boolean } = {},
): Promise<Outcome> {
  const { isMasked = () => false, rows = {} } = options;
  const { target, second, clock } = search;
  const isRecorded = options.records === true || search.mayNotRespond();
  if (isRecorded) {
    target.recorder.record();
    second?.recorder.record();
  }
  const other = second?.service ?? search.mocks(addRows(search.dialect, rows));
  const { patience, withoutKeys } = search;
  const leaveOut = leftOut(search, rows);
  const onAskAgain = (): void => {
    target.recorder.forgetLast();
    second?.recorder.forgetLast();
  };
  const services = [target.service, other] as const;
  // A mock ends with the sequence.
  const clean = prepareCleaning(second === undefined ? [target.service] : services);
  const run = startRun(
    { clock, patience, services, onAskAgain, leaveOut, withoutKeys },
    search.sharedLists,
  );
  const outcome = await runSequence(run, moves, isMasked, search.shouldStop);
  const replay = isRecorded ? target.recorder.end() : undefined;
  second?.recorder.end();
  await clean(run.made.records);
  const undecided = await isUndecided(search, outcome, { isMasked, rows, replay });
  return undecided ? asUnknown(outcome) : outcome;
}
