import * as fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type End, type KnownDifference, placeOf } from './comparison.ts';
import type { Finding } from './equal/finding.ts';
import { add, type Found, noteOutcome } from './found.ts';
import { investigate, type Origin, runOnce, type Search } from './investigate.ts';
import type { Step } from './run/run-sequence.ts';
import { wordsOf, writeTranscript } from './transcript.ts';

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

/** Sequences in a row without a response, after which the target is given up. */
const mostSilent = 10;
/** Differences that did not appear again, after which the search ends. */
const mostUnsteady = 100;

/** A sequence that is to be run; with `difference` one that showed a known difference before. */
interface Turn extends Pick<Origin, 'seed' | 'sequence'> {
  readonly difference?: string;
}

/** Runs sequence after sequence, and notes the differences, until the search is over. */
export async function search(context: Search, options: SearchOptions, found: Found): Promise<void> {
  const { operations = Number.POSITIVE_INFINITY, most = 100, onProgress } = options;
  let silent = 0;
  // Lists that show what others made are known before anything is compared.
  await runOnce(context, [{ operation: 'listStreams' }, { operation: 'listSessions' }]);
  for (const turn of turnsOf(options)) {
    onProgress?.(found.operations, found.differences.size);
    const end = endOf(context, found, { most, silent });
    if (end !== undefined) found.end = end;
    const isDone = turn.difference === undefined && found.operations >= operations;
    if (isDone || end !== undefined || context.shouldStop()) return;
    silent = (await takeTurn(context, turn, found)) ? 0 : silent + 1;
  }
}

function* turnsOf({ seed = 1, known = [] }: SearchOptions): Generator<Turn> {
  for (const { difference, sequence, seed: own = 1 } of known) {
    if (sequence !== undefined) yield { difference, seed: own, sequence };
  }
  for (let sequence = 0; ; sequence++) yield { seed, sequence };
}

function endOf(
  { isOver }: Search,
  { differences, unsteady }: Found,
  { most, silent }: { most: number; silent: number },
): End | undefined {
  if (differences.size >= most) return 'enough differences were found';
  if (unsteady.size >= mostUnsteady) return 'too many differences were not steady';
  if (silent >= mostSilent) return 'a side no longer responded';
  return isOver() ? 'the time was over' : undefined;
}

/** Runs a sequence, and notes its differences. Resolves to whether there was any response. */
async function takeTurn(
  context: Search,
  { difference, seed, sequence }: Turn,
  found: Found,
): Promise<boolean> {
  const mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(sequence + 1, 0x85ebca6b);
  const random = new fc.Random(xoroshiro128plus(mixed));
  const origin = { seed, sequence, value: context.arbitrary.generate(random, undefined) };
  const outcome = await runOnce(context, origin.value.value);
  const { steps, unknown } = outcome;
  noteOutcome(outcome, found);
  for (const step of steps) {
    for (const finding of step.findings) {
      await noteFinding(context, { origin, step, finding }, found);
    }
  }
  const isWhole = unknown === undefined && !context.shouldStop();
  if (difference !== undefined && isWhole) found.tried.add(difference);
  return steps.some(({ responses }) => responses !== undefined);
}

/** Counts a difference; a new one is confirmed, and its shortest sequence found. */
async function noteFinding(
  context: Search,
  { origin, step, finding }: { origin: Origin; step: Step; finding: Finding },
  found: Found,
): Promise<void> {
  const place = placeOf(context.withoutKeys(finding));
  const { operation = '' } = step.request ?? {};
  const name = `${kindOf(step)} | ${place}`;
  if (found.unsteady.has(name)) return;
  if (!found.differences.has(place)) {
    const steps = await investigate(context, { origin, place, operation });
    if (steps === 'unsteady') found.unsteady.set(name, operation);
    if (steps === 'no time') found.unconfirmed += 1;
    if (typeof steps === 'string') return;
    const seen = new Set(step.findings.map((one) => placeOf(context.withoutKeys(one))));
    const findings = steps
      .at(-1)
      ?.findings.filter((one) => seen.has(placeOf(context.withoutKeys(one))));
    addDifferences(context, steps, findings ?? [], found, origin);
  }
  countDifference(found, place, step);
}

/** The operation of a request, with what is not usual in it. */
function kindOf({ request, odd }: Step): string {
  const { operation = '' } = request ?? {};
  return odd.length === 0 ? operation : `${operation} (${odd.join(', ')})`;
}

function countDifference({ differences }: Found, place: string, step: Step): void {
  const counted = differences.get(place);
  if (counted === undefined) return;
  counted.times += 1;
  add(counted.requests, kindOf(step));
}

/** Adds and counts the differences of a step that is sent once. */
export function noteStep(context: Search, step: Step, found: Found): void {
  addDifferences(context, [step], step.findings, found);
  for (const finding of step.findings) {
    countDifference(found, placeOf(context.withoutKeys(finding)), step);
  }
}

/** Adds findings of the last of some steps, those at a new place. */
function addDifferences(
  { withoutKeys, secrets, second, isOver }: Search,
  steps: readonly Step[],
  findings: readonly Finding[],
  { differences }: Found,
  origin?: Origin,
): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  for (const finding of findings.map(withoutKeys)) {
    const place = placeOf(finding);
    if (differences.has(place)) continue;
    const { where } = finding;
    const shown = { apiKeys: secrets, hasSecond: second !== undefined };
    differences.set(place, {
      place,
      where,
      operation: last.request?.operation ?? '',
      words: wordsOf(finding, last),
      times: 0,
      requests: new Map(),
      ...(origin && { seed: origin.seed, sequence: origin.sequence }),
      isLong: origin !== undefined && isOver(),
      transcript: writeTranscript(steps, where, shown),
    });
  }
}
