import * as fc from 'fast-check';
import { type End, type KnownDifference, placeOf } from './comparison.ts';
import { addDifferences, countDifference, kindOf, noteSteps, type Tally } from './differences.ts';
import { type Run, startRun, stopAllLive } from './made.ts';
import type { Move } from './moves.ts';
import type { Finding } from './records.ts';
import { runSequence, type SequenceStep } from './run.ts';
import { type Service, type Side, thenCleanUp } from './sides.ts';

/** Which sequences are run, and how many. */
export interface SearchOptions {
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Differences that are accepted; the sequences that show them are run first. */
  known?: readonly KnownDifference[];
  /** Operations after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  onProgress?: (operations: number, differences: number) => void;
}

/** Where sequences are run: on a target, and on a second one or on new mocks. */
export interface Search {
  readonly target: Side;
  /** Absent where mocks are what the target is compared with. */
  readonly second: Side | undefined;
  /** A mock on which no sequence was run. */
  readonly mocks: () => Service;
  /** Random sequences. */
  readonly arbitrary: fc.Arbitrary<readonly Move[]>;
  readonly clock: Run['clock'];
  readonly shouldStop: () => boolean;
  /** Whether the time of the search is over: what is shown then is not made shorter. */
  readonly isOver: () => boolean;
  /** Lists in which the targets show what others made. */
  readonly sharedLists: Set<string>;
  readonly found: Tally;
}

/** Sequences in a row without a response, after which the target is given up. */
const mostSilent = 10;
/** Differences that did not appear again, after which the search ends. */
const mostUnsteady = 30;

/** Runs sequence after sequence, and notes the differences, until the search is over. */
export async function search(context: Search, options: SearchOptions): Promise<void> {
  const { isOver, shouldStop, found } = context;
  const { comparison, unsteady } = found;
  const { seed = 1, known = [], operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  let silent = 0;
  const endNow = (): End | undefined => {
    if (comparison.differences.length >= most) return 'enough differences were found';
    if (unsteady.size >= mostUnsteady) return 'too many differences were unsteady';
    if (silent >= mostSilent) return 'a side no longer responded';
    return isOver() ? 'time ran out' : undefined;
  };
  const runTurn = async (turn: Turn): Promise<readonly SequenceStep[] | undefined> => {
    options.onProgress?.(comparison.operations, comparison.differences.length);
    const end = endNow();
    if (end !== undefined) comparison.end = end;
    if (end !== undefined || shouldStop()) return undefined;
    const steps = await takeTurn(context, turn);
    silent = steps.some(({ responses }) => responses !== undefined) ? 0 : silent + 1;
    return steps;
  };
  // Lists that show what others made are known before anything is compared.
  await runOnce(context, [{ operation: 'listStreams' }, { operation: 'listSessions' }]);
  for (const { difference, sequence, seed: own = 1 } of known) {
    if (sequence === undefined) continue;
    const steps = await runTurn({ seed: own, sequence });
    if (steps === undefined) return;
    const last = steps.at(-1);
    const isCut = last?.isLast === true && last.unanswered !== undefined;
    if (!isCut && !shouldStop()) found.unchecked.delete(difference);
  }
  for (let sequence = 0; comparison.operations < operations; sequence++) {
    if ((await runTurn({ seed, sequence })) === undefined) return;
  }
}

/** A random sequence that is to be run. */
interface Turn {
  readonly seed: number;
  readonly sequence: number;
}

/** What fast-check needs to generate a sequence, the same each time. */
function parametersOf({ seed, sequence }: Turn) {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
  return { seed: mixed, numRuns: 1, unbiased: true };
}

/** Runs a sequence, and notes its differences. */
async function takeTurn(context: Search, turn: Turn): Promise<readonly SequenceStep[]> {
  const [moves = []] = fc.sample(context.arbitrary, parametersOf(turn));
  const steps = await runOnce(context, moves);
  noteSteps(steps, context.found);
  for (const step of steps) {
    for (const finding of step.findings) await noteFinding(context, { turn, step, finding });
  }
  return steps;
}

/** A difference that a step of a sequence showed. */
interface Sighting {
  readonly turn: Turn;
  readonly step: SequenceStep;
  readonly finding: Finding;
}

/** Counts a difference; a new one is confirmed, and its shortest sequence found. */
async function noteFinding(context: Search, sighting: Sighting): Promise<void> {
  const { found } = context;
  const { turn, step, finding } = sighting;
  const place = placeOf(finding);
  const name = `${kindOf(step)} | ${place}`;
  if (found.unsteady.has(name)) return;
  if (!found.byPlace.has(place)) {
    const steps = await confirm(context, sighting);
    if (steps === 'unchecked') found.unchecked.add(place);
    if (steps === 'unsteady') found.unsteady.add(name);
    if (typeof steps === 'string') return;
    // What one response shows at several places is confirmed at once.
    const seen = new Set(step.findings.map(placeOf));
    const findings = steps.at(-1)?.findings.filter((one) => seen.has(placeOf(one))) ?? [];
    addDifferences(found, steps, findings, turn);
  }
  countDifference(found, finding, step);
}

/** Runs a sequence on both sides, on new streams, and cleans up. */
async function runOnce(
  { target, second, mocks, clock, shouldStop, sharedLists }: Search,
  moves: readonly Move[],
  patience: number = target.patience,
  isEnough: (step: SequenceStep) => boolean = () => false,
): Promise<readonly SequenceStep[]> {
  const services = [target, second ?? mocks()] as const;
  const run = startRun({ clock, patience, services, sharedLists });
  // A mock ends with the sequence.
  return thenCleanUp(second === undefined ? [target] : services, async () => {
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
 * Runs the sequence of a difference again, from the start, and then shorter ones. What does not appear
 * again, in the whole sequence or in the shortest one, is unsteady.
 * @returns the steps of the shortest one, of which the last shows it
 */
async function confirm(
  context: Search,
  { turn, step: { move }, finding }: Sighting,
): Promise<readonly SequenceStep[] | 'unsteady' | 'unchecked'> {
  const { target, clock, isOver, shouldStop } = context;
  const operation = 'operation' in move ? move.operation : '';
  const place = placeOf(finding);
  const shows = (step: SequenceStep): boolean =>
    step.findings.some((one) => placeOf(one) === place);
  // What shows no session is the same whenever it is asked.
  const patience = /session|playback/i.test(operation) ? target.patience : 0;
  const run = (moves: readonly Move[]) => runOnce(context, moves, patience, shows);
  const begun = clock.now();
  let attempts = 0;
  let fault: unknown;
  let steps: readonly SequenceStep[] = [];
  const isEnough = (): boolean =>
    attempts > most.attempts || clock.now() - begun >= most.time || isOver() || shouldStop();
  const sends = (one: Move): boolean => 'operation' in one && one.operation === operation;
  /** Whether a sequence does not show it; fast-check makes one shorter that does. */
  const holds = async (moves: readonly Move[]): Promise<boolean> => {
    if (attempts > 0 && (isEnough() || !moves.some(sends))) return true;
    attempts += 1;
    try {
      const tried = await run(moves);
      const isShown = tried.some(shows);
      if (isShown || attempts === 1) steps = tried;
      return !isShown;
    } catch (error) {
      fault ??= error;
      return true;
    }
  };
  const property = fc.asyncProperty(context.arbitrary, holds);
  const parameters = { ...parametersOf(turn), ignoreEqualValues: true };
  const { counterexample, numShrinks } = await fc.check(property, parameters);
  if (fault !== undefined) throw fault;
  // The shortest one is sent quickly, so a service that varies at random is found out here.
  if (counterexample !== null && numShrinks > 0) steps = await run(counterexample[0]);
  const shown = steps.findIndex(shows);
  if (shown !== -1) return steps.slice(0, shown + 1);
  const isAnswered = steps.every(({ unanswered }) => unanswered === undefined);
  return isAnswered && !shouldStop() ? 'unsteady' : 'unchecked';
}
