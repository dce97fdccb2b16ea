import * as fc from 'fast-check';
import { withoutId } from '../../conformance/target/creations.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import type { TargetConnection } from '../connection.ts';
import { type KnownDifference, placeOf } from './comparison.ts';
import { noteSteps, type Tally } from './differences.ts';
import { endLiveSessions, type Run, startRun } from './made.ts';
import { describeMove, type Move, requestOf } from './moves.ts';
import { runSequence, type SequenceStep } from './run.ts';
import { sequences } from './sequences.ts';
import { createMocks, type Service, type Two, thenCleanUp } from './sides.ts';

/** Which sequences are run, on which mocks, and for how long. */
export interface SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: NonNullable<MockOptions['dialect']>;
  /** The same seed makes the same sequences; default 1. */
  seed?: number;
  /** Differences that are accepted; the sequences that show them are run first. */
  known?: readonly KnownDifference[];
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Operations after which no further sequence begins; default no limit. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
  onProgress?: (operations: number, differences: number) => void;
}

/** Where sequences are run, and how long. */
export type Search = ReturnType<typeof startSearch>;

/** Milliseconds after the end of the search in which to confirm its last difference. */
const longestEnd = 5_000;

/** Starts the time of a search, which compares one target with mocks, or two targets. */
export function startSearch(
  sides: readonly [TargetConnection, ...TargetConnection[]],
  options: SearchOptions,
  found: Tally,
) {
  const [target, second] = sides;
  const { now = Date.now, pause = target.pause, dialect, time = 60_000 } = options;
  const mocks = createMocks({ now, ...(dialect && { dialect }) });
  const begun = now();
  const isWithoutIds = (): boolean =>
    sides.some(({ creations: { unknown } }) => (unknown.get(withoutId) ?? 0) >= maxWithoutId);
  const isLate = (after: number): boolean => now() - begun >= time + after;
  return {
    sides,
    found,
    /** The two services of a sequence. A mock has not run another sequence in the same world. */
    services: (): Two<Service> => [target, second ?? mocks()],
    /** Random sequences. */
    arbitrary: sequences(target.origin),
    clock: { now, pause },
    patience: target.patience,
    /** Lists that also show what others made. */
    sharedLists: new Set<string>(),
    shouldStop: () => target.stopSignal.aborted || isLate(longestEnd) || isWithoutIds(),
    /** Why no further sequence begins; then no sequence is made shorter either. */
    endReason(): string | undefined {
      if (isWithoutIds()) return 'new streams have no usable id, so they cannot be deleted';
      return isLate(0) ? 'time ran out' : undefined;
    },
  };
}

/** Sequences in a row without any response, after which the search gives up. */
const maxSilent = 10;
/** Creations without an id in the response, after which the search ends. */
const maxWithoutId = 3;
/** Differences that did not appear again, after which the search ends. */
const maxUnsteady = 30;

/** Runs random sequences, and notes their differences, until the search is over. */
export async function searchAtRandom(search: Search, options: SearchOptions): Promise<void> {
  const { endReason, shouldStop, found } = search;
  const { comparison, differences, unsteady } = found;
  const { operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  // A search sees everything that the interface states.
  comparison.byOperation = { createStream: 0, setRecord: 0, listSessionsOfStream: 0 };
  let silent = 0;
  const endNow = (): string | undefined => {
    if (differences.size >= most) return 'enough differences were found';
    if (unsteady.size >= maxUnsteady) return 'too many differences were unsteady';
    if (silent >= maxSilent) return 'a side no longer responded';
    return endReason();
  };
  // First find out which lists show what others made.
  await runOnce(search, [requestOf('listStreams'), requestOf('listSessions')]);
  for (const turn of turnsOf(options)) {
    options.onProgress?.(comparison.operations, differences.size);
    comparison.end = endNow();
    const isEnough = turn.known === undefined && comparison.operations >= operations;
    if (comparison.end !== undefined || isEnough || shouldStop()) return;
    const steps = await takeTurn(search, turn);
    silent = steps.some(({ responses }) => responses !== undefined) ? 0 : silent + 1;
    if (turn.known === undefined) continue;
    // Without all responses, nobody knows whether it would have appeared.
    const isWhole = steps.every(({ unanswered }) => unanswered === undefined) && !shouldStop();
    if (isWhole) comparison.unseen.push(turn.known);
    else unsteady.add(turn.known);
  }
}

/** A random sequence to run. */
interface Turn {
  readonly seed: number;
  readonly sequence: number;
  /** The known difference that it should show. */
  readonly known?: string;
}

function* turnsOf({ known = [], seed = 1 }: SearchOptions): Generator<Turn> {
  for (const { difference, sequence, seed: own = 1 } of known) {
    if (sequence !== undefined) yield { seed: own, sequence, known: difference };
  }
  for (let sequence = 0; ; sequence++) yield { seed, sequence };
}

/** What fast-check needs to generate the same sequence each time. */
function parametersOf({ seed, sequence }: Turn) {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
  return { seed: mixed, numRuns: 1, unbiased: true };
}

/** Runs a sequence, counts its differences, and confirms new ones with the shortest sequence. */
async function takeTurn(search: Search, turn: Turn): Promise<readonly SequenceStep[]> {
  const { found, arbitrary } = search;
  const { seed, sequence } = turn;
  const [moves = []] = fc.sample(arbitrary, parametersOf(turn));
  const steps = await runOnce(search, moves);
  found.comparison.sequences += 1;
  const confirm = ({ move }: SequenceStep, place: string) => confirmIn(search, turn, move, place);
  await noteSteps(found, steps, confirm, { seed, sequence });
  return steps;
}

/** Does some work with a new run, then ends its live sessions and deletes its streams. */
export async function withRun<Result>(
  search: Search,
  given: Pick<Run, 'services' | 'isReplay'>,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { clock, patience, sharedLists, sides } = search;
  const run = startRun({ clock, patience, sharedLists, ...given });
  return thenCleanUp(sides, () => work(run).finally(() => endLiveSessions(run)));
}

/** Runs a sequence on both sides, and cleans up. */
async function runOnce(
  search: Search,
  moves: readonly Move[],
  isEnough: (step: SequenceStep) => boolean = () => false,
): Promise<readonly SequenceStep[]> {
  const { services, shouldStop } = search;
  return withRun(search, { services: services() }, (run) =>
    runSequence(run, moves, (step) => shouldStop() || isEnough(step)),
  );
}

/** Limits to finding a shorter sequence: how many are tried, and milliseconds, as some wait for recordings. */
const most = { attempts: 60, time: 2_000 } as const;

/**
 * Runs the sequence of a difference again, from the start, and then shorter ones.
 * @returns the steps of the shortest one, up to the one that shows it; none if it does not appear again
 */
async function confirmIn(
  search: Search,
  turn: Turn,
  move: Move,
  place: string,
): Promise<readonly SequenceStep[]> {
  const { arbitrary, clock, endReason, shouldStop } = search;
  const shows = ({ findings }: SequenceStep): boolean =>
    findings.some((one) => placeOf(one) === place);
  const isAlike = (one: Move): boolean => describeMove(one) === describeMove(move);
  const begun = clock.now();
  const tried = new Set<string>();
  const isEnough = (): boolean =>
    tried.size > most.attempts ||
    clock.now() - begun >= most.time ||
    endReason() !== undefined ||
    shouldStop();
  /** Whether a sequence does not show it. fast-check looks for a shorter one that does. */
  const holds = async (moves: readonly Move[]): Promise<boolean> => {
    if (tried.size > 0 && (isEnough() || !moves.some(isAlike))) return true;
    // fast-check's `ignoreEqualValues` would format every candidate, which takes longer than all requests.
    const text = JSON.stringify(moves);
    if (tried.has(text)) return true;
    tried.add(text);
    return !(await runOnce(search, moves, shows)).some(shows);
  };
  const property = fc.asyncProperty(arbitrary, holds);
  const { counterexample } = await fc.check(property, parametersOf(turn));
  if (counterexample === null) return [];
  // Sent once more, the shortest one exposes a service that varies at random.
  const steps = await runOnce(search, counterexample[0], shows);
  return steps.slice(0, steps.findIndex(shows) + 1);
}
