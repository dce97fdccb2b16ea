import * as fc from 'fast-check';
import type { MockOptions } from '../../mocks/mock-options.ts';
import type { TargetConnection } from '../connection.ts';
import { type KnownDifference, placeOf } from './comparison.ts';
import { addDifferences, countDifferences, kindOf, noteSteps, type Tally } from './differences.ts';
import { startRun, stopAllLive } from './made.ts';
import { describeMove, type Move, requestOf } from './moves.ts';
import type { Two } from './records.ts';
import { runSequence, type SequenceStep } from './run.ts';
import { type Offers, sequences } from './sequences.ts';
import { createMocks, type Service, thenCleanUp } from './sides.ts';

/** Which sequences are run on which mocks, and how long. */
export interface SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: NonNullable<MockOptions['dialect']>;
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Differences that are accepted; the sequences that show them are run first. */
  known?: readonly KnownDifference[];
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Operations after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
  onProgress?: (operations: number, differences: number) => void;
}

/** Where sequences are run, and until when. */
export type Search = ReturnType<typeof startSearch>;

/** Milliseconds after the time of the search within which its last difference is confirmed. */
const longestEnd = 5_000;

/** A search whose time begins now: of one target, which is compared with mocks, or of two. */
export function startSearch(
  sides: readonly [TargetConnection, ...TargetConnection[]],
  options: SearchOptions,
  found: Tally,
) {
  const [target, second] = sides;
  const { now = Date.now, pause = target.pause, dialect, time = 60_000 } = options;
  const mocks = createMocks({ now, ...(dialect && { dialect }) });
  const begun = now();
  const isLate = (after: number): boolean => now() - begun >= time + after;
  return {
    sides,
    found,
    /** The two services of a sequence: a mock is one on which none was run. */
    services: (): Two<Service> => [target, second ?? mocks()],
    /** Random sequences. */
    arbitrary: sequences(offersOf(sides)),
    clock: { now, pause },
    patience: target.patience,
    /** Lists in which the targets show what others made. */
    sharedLists: new Set<string>(),
    shouldStop: () => target.stop.aborted || isLate(longestEnd),
    /** Whether the time is over: what is shown then is not made shorter. */
    isOver: () => isLate(0),
  };
}

/** Which operations all sides can be asked for. */
export function offersOf(sides: readonly TargetConnection[]): Offers {
  const encoders = sides.map(({ provider }) => provider).filter((one) => 'broadcast' in one);
  const isLive = encoders.length === sides.length;
  return {
    live: !isLive ? 'none' : encoders.every(({ goLive }) => goLive) ? 'stop' : 'broadcast',
    origin: sides[0]?.origin ?? '',
  };
}

/** Sequences in a row without a response, after which the target is given up. */
const maxSilent = 10;
/** Differences that did not appear again, after which the search ends. */
const maxUnsteady = 30;

/** Runs sequence after sequence, and notes the differences, until the search is over. */
export async function search(context: Search, options: SearchOptions): Promise<void> {
  const { isOver, shouldStop, found } = context;
  const { comparison, unsteady } = found;
  const { operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  let silent = 0;
  const endNow = (): string | undefined => {
    if (comparison.differences.length >= most) return 'enough differences were found';
    if (unsteady.size >= maxUnsteady) return 'too many differences were unsteady';
    if (silent >= maxSilent) return 'a side no longer responded';
    return isOver() ? 'time ran out' : undefined;
  };
  // Lists that show what others made are known before anything is compared.
  await runOnce(context, [requestOf('listStreams'), requestOf('listSessions')]);
  for (const turn of turnsOf(options)) {
    options.onProgress?.(comparison.operations, comparison.differences.length);
    const end = endNow();
    if (end !== undefined) comparison.end = end;
    const isEnough = turn.difference === undefined && comparison.operations >= operations;
    if (end !== undefined || isEnough || shouldStop()) return;
    const steps = await takeTurn(context, turn);
    silent = steps.some(({ responses }) => responses !== undefined) ? 0 : silent + 1;
    if (turn.difference === undefined) continue;
    // Without all responses, it is not known whether it would have appeared.
    const isWhole = steps.every(({ unanswered }) => unanswered === undefined) && !shouldStop();
    if (isWhole) comparison.unseen.push(turn.difference);
    else unsteady.add(turn.difference);
  }
}

/** A random sequence that is to be run. */
interface Turn {
  readonly seed: number;
  readonly sequence: number;
  /** The known difference that it should show. */
  readonly difference?: string;
}

function* turnsOf({ known = [], seed = 1 }: SearchOptions): Generator<Turn> {
  for (const { difference, sequence, seed: own = 1 } of known) {
    if (sequence !== undefined) yield { seed: own, sequence, difference };
  }
  for (let sequence = 0; ; sequence++) yield { seed, sequence };
}

/** What fast-check needs to generate a sequence, the same each time. */
function parametersOf({ seed, sequence }: Turn) {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
  return { seed: mixed, numRuns: 1, unbiased: true };
}

/** Runs a sequence, and counts its differences; new ones are confirmed, and their shortest sequence found. */
async function takeTurn(context: Search, turn: Turn): Promise<readonly SequenceStep[]> {
  const { found, arbitrary } = context;
  const { seed, sequence } = turn;
  const [moves = []] = fc.sample(arbitrary, parametersOf(turn));
  const steps = await runOnce(context, moves);
  noteSteps(steps, found);
  for (const step of steps) {
    const places = new Set(step.findings.map(placeOf));
    for (const place of places) {
      const name = `${kindOf(step)} | ${place}`;
      if (found.byPlace.has(place) || found.unsteady.has(name)) continue;
      const shown = await confirm(context, turn, step.move, place);
      if (shown.length === 0) found.unsteady.add(name);
      // What one response shows at several places is confirmed at once.
      addDifferences(found, shown, places, { seed, sequence });
    }
    countDifferences(found, step);
  }
  return steps;
}

/** Runs a sequence on both sides, on new streams, and cleans up; a mock ends with the sequence. */
async function runOnce(
  context: Search,
  moves: readonly Move[],
  isEnough: (step: SequenceStep) => boolean = () => false,
): Promise<readonly SequenceStep[]> {
  const { sides, services, shouldStop } = context;
  const run = startRun({ ...context, services: services() });
  return thenCleanUp(sides, async () => {
    try {
      return await runSequence(run, moves, (step) => shouldStop() || isEnough(step));
    } finally {
      await stopAllLive(run);
    }
  });
}

/** Sequences that are tried to find a shorter one, and milliseconds: some wait for recordings. */
const most = { attempts: 60, time: 2_000 } as const;

/**
 * Runs the sequence of a difference again, from the start, and then shorter ones.
 * @returns the steps of the shortest one, of which the last shows it; none if it does not appear again, in
 *   the whole sequence or in the shortest one
 */
async function confirm(
  context: Search,
  turn: Turn,
  move: Move,
  place: string,
): Promise<readonly SequenceStep[]> {
  const { clock, isOver, shouldStop } = context;
  const shows = ({ findings }: SequenceStep): boolean =>
    findings.some((one) => placeOf(one) === place);
  const begun = clock.now();
  const triedBefore = new Set<string>();
  let fault: unknown;
  let steps: readonly SequenceStep[] = [];
  const isEnough = (): boolean =>
    triedBefore.size > most.attempts ||
    clock.now() - begun >= most.time ||
    isOver() ||
    shouldStop();
  const isAlike = (one: Move): boolean => describeMove(one) === describeMove(move);
  /** Whether a sequence does not show it; fast-check makes one shorter that does. */
  const holds = async (moves: readonly Move[]): Promise<boolean> => {
    if (triedBefore.size > 0 && (isEnough() || !moves.some(isAlike))) return true;
    const text = JSON.stringify(moves);
    if (triedBefore.has(text)) return true;
    triedBefore.add(text);
    try {
      const tried = await runOnce(context, moves, shows);
      if (!tried.some(shows)) return true;
      steps = tried;
      return false;
    } catch (error) {
      fault ??= error;
      return true;
    }
  };
  const property = fc.asyncProperty(context.arbitrary, holds);
  const { counterexample, numShrinks } = await fc.check(property, parametersOf(turn));
  if (fault !== undefined) throw fault;
  // The shortest one is sent quickly, so a service that varies at random is found out here.
  if (counterexample !== null && numShrinks > 0) {
    steps = await runOnce(context, counterexample[0], shows);
  }
  return steps.slice(0, steps.findIndex(shows) + 1);
}
