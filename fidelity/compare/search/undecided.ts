import { isDoneByOne, isWrite } from '../run/note-change.ts';
import type { Clock } from '../run/run.ts';
import { type Outcome, unansweredStep } from '../run/run-sequence.ts';
import type { ResponseRecorder } from './recorded-responses.ts';
import { replayTimes, runRecorded } from './run-recorded.ts';
import { addRows, type RunOptions, type Search } from './search.ts';
import { mockService } from './sides.ts';

/** How a sequence was run, and what the target responded; absent where that was not recorded. */
interface Responded extends Required<RunOptions> {
  readonly replay: ReturnType<ResponseRecorder['end']> | undefined;
}

/**
 * Whether a difference only shows that a write without a response changed nothing: until a read decides,
 * both states are possible. The sequence went on with the mock that made the change, and the responses
 * are tried on one that did not.
 */
export async function isUndecided(
  search: Search,
  outcome: Outcome,
  { replay, ...options }: Responded,
): Promise<boolean> {
  const { target, second, dialect } = search;
  const unanswered = unansweredStep(outcome);
  const request = unanswered?.described?.request;
  if (outcome.difference === undefined || unanswered === undefined) return false;
  if (request === undefined || !isWrite(request)) return false;
  // A second target cannot be put into the other state.
  if (second !== undefined || replay === undefined) return true;
  const moves = outcome.steps.map(({ move }) => move);
  const { move, exchanges } = unanswered;
  const notSent = { move, isDone: isDoneByOne(exchanges) };
  for (const time of replayTimes) {
    const other = addRows(dialect, { ...options.rows, ...time });
    const services = (clock: Clock) =>
      [target.replay(replay()), mockService(other, clock)] as const;
    const { difference } = await runRecorded(search, moves, services, { ...options, notSent });
    if (difference === undefined) return true;
  }
  return false;
}
