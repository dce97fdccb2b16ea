import { exchangesOf } from '../../conformance/target/failure.ts';
import { readId } from '../../conformance/target/operations.ts';
import { entryFor, type WrittenRefusals } from '../../interface/dialect/refusals.ts';
import { routeOf } from '../calls.ts';
import { type Comparison, type Difference, placeOf } from './comparison.ts';
import type { Finding } from './equality.ts';
import { creates, describeMove } from './moves.ts';
import type { SequenceStep } from './run.ts';

/** What has been found so far. */
export interface Tally {
  readonly comparison: Comparison;
  /** By place. */
  readonly differences: Map<string, Difference>;
  /** Differences that did not appear again, with the kind of request. */
  readonly unsteady: Set<string>;
  /** What the mock's dialect says about refusals. */
  readonly refusals: WrittenRefusals;
}

/** How many reasons for missing responses are kept. */
const maxReasons = 3;

/**
 * Counts what the steps of a sequence have shown. `confirm` resolves to the steps that lead to a new
 * difference, or to none if it did not appear again.
 */
export async function noteSteps(
  found: Tally,
  steps: readonly SequenceStep[],
  confirm: (step: SequenceStep, place: string) => Promise<readonly SequenceStep[]>,
  origin: Pick<Difference, 'seed' | 'sequence'> = {},
): Promise<void> {
  found.comparison.operations += steps.length;
  for (const step of steps) {
    noteResponses(found, step);
    const places = new Set(step.findings.map(placeOf));
    for (const place of places) {
      const name = `${kindOfStep(step)} | ${place}`;
      if (found.differences.has(place) || found.unsteady.has(name)) continue;
      const shown = await confirm(step, place);
      if (shown.length === 0) found.unsteady.add(name);
      // What one response shows at several places is confirmed at once.
      const confirmed = shown.at(-1)?.findings ?? [];
      const transcript = shown.map(describeStep);
      for (const finding of confirmed.filter((one) => places.has(placeOf(one)))) {
        addDifference(found, finding, { ...origin, transcript });
      }
    }
    countDifferences(found, step);
  }
}

/** Counts whether the sides responded, and whether their responses are usable. */
function noteResponses({ comparison }: Tally, { move, responses, unanswered }: SequenceStep): void {
  if (unanswered !== undefined) {
    const reasons = new Set([...comparison.unknownReasons, unanswered]);
    comparison.unknownReasons = [...reasons].slice(0, maxReasons);
  }
  if (!('operation' in move)) return;
  if (unanswered !== undefined) comparison.unanswered += 1;
  // A request with another method does not count for the operation.
  if (move.call.method !== routeOf(move.operation).method) return;
  const isUsable = creates(move)
    ? responses?.every(readId)
    : responses?.every(({ status }) => status === 501 || status <= 499);
  increment(comparison.byOperation, move.operation, isUsable ? 1 : 0);
}

function addDifference(
  { differences }: Tally,
  finding: Finding,
  shown: Pick<Difference, 'seed' | 'sequence' | 'transcript'>,
): void {
  const place = placeOf(finding);
  if (differences.has(place)) return;
  const { where, kinds: words } = finding;
  differences.set(place, { ...shown, place, where, words, times: 0, requests: {} });
}

/** Counts the differences that a step shows. */
function countDifferences({ differences, refusals }: Tally, step: SequenceStep): void {
  for (const finding of step.findings) {
    const difference = differences.get(placeOf(finding));
    if (difference === undefined) continue;
    difference.times += 1;
    increment(difference.requests, kindOfStep(step));
    const entry = changedEntry(step, finding, refusals);
    if (entry !== undefined) difference.entry ??= `refusals.${entry}`;
  }
}

/** The entry of the dialect for a request that one side refused. */
function changedEntry(
  { move, odd, responses }: SequenceStep,
  { where }: Finding,
  refusals: WrittenRefusals,
): string | undefined {
  const isRefused = responses?.some(({ status }) => status >= 400);
  if (!('operation' in move) || !isRefused || odd.length > 1) return undefined;
  if (where !== 'status' && where !== 'refusal') return undefined;
  return entryFor(refusals, move.operation, odd[0] ?? 'operation:given');
}

/** The operation of a request, or another move in words, with what is unusual about it. */
function kindOfStep({ move, odd }: SequenceStep): string {
  return odd.length === 0 ? describeMove(move) : `${describeMove(move)} (${odd.join(', ')})`;
}

/** A step in words, with its request and response on each side. */
function describeStep(step: SequenceStep): Difference['transcript'][number] {
  const [one = {}, other = {}] = exchangesOf(step.responses ?? []);
  return { move: kindOfStep(step), sides: [one, other] };
}

/** Counts more of a kind. */
export function increment(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
