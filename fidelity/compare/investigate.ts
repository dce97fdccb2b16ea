import type * as fc from 'fast-check';
import { placeOf } from './comparison.ts';
import type { Move } from './moves/move.ts';
import { prepareCleaning } from './run/changes.ts';
import { type Clock, startRun } from './run/run.ts';
import { type Outcome, runSequence, type Step } from './run/run-sequence.ts';
import type { Service, Side } from './run/side.ts';
import type { WithoutKeys } from './without-keys.ts';

/** Where sequences are run: on a target, and on a second one or on new mocks. */
export interface Search {
  readonly target: Side;
  /** Absent where mocks are what the target is compared with. */
  readonly second: Side | undefined;
  /** A mock on which no sequence was run. */
  readonly mocks: () => Service;
  /** Random sequences. */
  readonly arbitrary: fc.Arbitrary<readonly Move[]>;
  readonly clock: Clock;
  readonly shouldStop: () => boolean;
  /** Whether the time of the search is over: what is shown then is not made shorter. */
  readonly isOver: () => boolean;
  /** Lists in which the targets show what others made. */
  readonly sharedLists: Set<string>;
  /** API keys, also those that are almost right: no report may show them. */
  readonly secrets: readonly string[];
  readonly withoutKeys: WithoutKeys;
}

/** A random sequence, with what fast-check needs to make it shorter. */
export interface Origin {
  readonly seed: number;
  readonly sequence: number;
  readonly value: fc.Value<readonly Move[]>;
}

/** A difference that a step of a sequence showed. */
interface Sighting {
  readonly origin: Origin;
  readonly place: string;
  readonly operation: string;
}

/** When a sequence ends early, and for how long it waits until both sides agree. */
interface RunOptions {
  readonly isEnough?: (step: Step) => boolean;
  /** Milliseconds. */
  readonly patience?: number;
}

/** Runs a sequence on both sides, on new streams, and cleans up. */
export async function runOnce(
  { target, second, mocks, clock, shouldStop, sharedLists }: Search,
  moves: readonly Move[],
  { isEnough = () => false, patience = target.patience }: RunOptions = {},
): Promise<Outcome> {
  const services = [target, second ?? mocks()] as const;
  // A mock ends with the sequence.
  const clean = prepareCleaning(second === undefined ? [target] : services);
  const run = startRun({ clock, patience, services }, sharedLists);
  const outcome = await runSequence(run, moves, (step) => shouldStop() || isEnough(step));
  await clean(run.made.records);
  return outcome;
}

/**
 * Runs the sequence of a difference again, from the start, and then shorter ones. What does not appear
 * again, in the whole sequence or in the shortest one, is not steady.
 * @returns the steps of the shortest one, of which the last shows it
 */
export async function investigate(
  context: Search,
  { origin, place, operation }: Sighting,
): Promise<readonly Step[] | 'unsteady' | 'no time' | 'no response'> {
  const shows = (step: Step): boolean =>
    step.findings.some((finding) => placeOf(context.withoutKeys(finding)) === place);
  // What shows no session is the same whenever it is asked.
  const waits = /session|playback/i.test(operation);
  const options = { isEnough: shows, ...(!waits && { patience: 0 }) };
  const run = (moves: readonly Move[]): Promise<Outcome> => runOnce(context, moves, options);
  const isShown = ({ steps }: Outcome): boolean => steps.some(shows);
  let { value } = origin;
  let outcome = await run(value.value);
  if (isShown(outcome)) {
    value = await shorten(context, value, operation, async (moves) => isShown(await run(moves)));
    // The shortest one is sent quickly, so a service that varies at random is found out here.
    if (value !== origin.value) outcome = await run(value.value);
  }
  const { steps } = outcome;
  return isShown(outcome) ? steps.slice(0, steps.findIndex(shows) + 1) : whyNot(context, outcome);
}

function whyNot(
  { shouldStop }: Search,
  { steps }: Outcome,
): 'unsteady' | 'no time' | 'no response' {
  if (shouldStop()) return 'no time';
  const isWhole = steps.every(({ unanswered }) => unanswered === undefined);
  return isWhole ? 'unsteady' : 'no response';
}

/** Sequences that are tried to find a shorter one, and milliseconds: some wait for recordings. */
const most = { attempts: 60, time: 2_000 } as const;

/** The shortest and simplest sequence that fast-check finds and that still shows a difference. */
async function shorten(
  { arbitrary, clock, isOver, shouldStop }: Search,
  from: fc.Value<readonly Move[]>,
  operation: string,
  shows: (moves: readonly Move[]) => Promise<boolean>,
): Promise<fc.Value<readonly Move[]>> {
  const tried = new Set<string>();
  const begun = clock.now();
  const isEnough = (): boolean =>
    tried.size >= most.attempts || clock.now() - begun >= most.time || isOver() || shouldStop();
  const next = async (value: typeof from): Promise<typeof from | undefined> => {
    for (const candidate of arbitrary.shrink(value.value, value.context)) {
      if (isEnough()) return undefined;
      const text = JSON.stringify(candidate.value);
      if (tried.has(text) || !candidate.value.some((move) => maySend(move, operation))) continue;
      tried.add(text);
      if (await shows(candidate.value)) return candidate;
    }
    return undefined;
  };
  let best = from;
  for (let better = await next(best); better !== undefined; better = await next(best)) {
    best = better;
  }
  return best;
}

/** Whether a move sends a request of an operation; which one a link leads to is not known. */
function maySend(move: Move, operation: string): boolean {
  return 'follow' in move || ('operation' in move && move.operation === operation);
}
