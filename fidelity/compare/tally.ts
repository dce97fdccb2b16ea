import { decidingEntry, type WrittenMatrix } from '../../interface/dialect/written-errors.ts';
import { exchangesOf } from '../../target/requests/failure.ts';
import { readId } from '../../target/requests/read-response.ts';
import { routeOf } from '../operation-calls.ts';
import {
  type Comparison,
  type Difference,
  differenceNamed,
  nameOf,
  type TranscriptStep,
} from './comparison.ts';
import type { Finding } from './equality.ts';
import { creates, describeMove, type Move } from './moves.ts';
import type { SequenceStep } from './sequence-steps.ts';

/** What has been found so far. */
export interface Tally {
  readonly comparison: Comparison;
  /** Differences that did not appear again, with the kind of request. */
  readonly unsteady: Set<string>;
  /** What the mock's dialect says about errors, as it is written. */
  readonly written: WrittenMatrix;
}

/** How many reasons for missing responses are kept. */
const maxReasons = 3;

/**
 * Counts what the steps of a sequence have shown. `confirm` gets the moves up to a new difference, and resolves
 * to the steps that lead to it, or to none if it did not appear again.
 */
export async function noteSteps(
  tally: Tally,
  steps: readonly SequenceStep[],
  confirm: (moves: readonly Move[], name: string) => Promise<readonly SequenceStep[]>,
  source: Pick<Difference, 'seed' | 'sequence'> = {},
): Promise<void> {
  const { comparison, unsteady } = tally;
  comparison.operations += steps.length;
  for (const [index, step] of steps.entries()) {
    noteResponses(comparison, step);
    const names = new Set(step.findings.map(nameOf));
    for (const name of names) {
      const unsteadyName = `${kindOfStep(step)} | ${name}`;
      if (differenceNamed(comparison, name) !== undefined || unsteady.has(unsteadyName)) continue;
      const moves = steps.slice(0, index + 1).map(({ move }) => move);
      const confirmingSteps = await confirm(moves, name);
      if (confirmingSteps.length === 0) unsteady.add(unsteadyName);
      // All differences in one response are confirmed at once.
      const { findings = [] } = confirmingSteps.at(-1) ?? {};
      const isInStep = (finding: Finding): boolean => names.has(nameOf(finding));
      const transcript = confirmingSteps.map(toTranscript);
      for (const finding of findings.filter(isInStep)) {
        addDifference(comparison, finding, { ...source, transcript });
      }
    }
    countDifferences(tally, step);
  }
}

function addDifference(
  comparison: Comparison,
  finding: Finding,
  source: Pick<Difference, 'seed' | 'sequence' | 'transcript'>,
): void {
  const name = nameOf(finding);
  if (differenceNamed(comparison, name) !== undefined) return;
  const { where, kinds } = finding;
  comparison.differences.push({ ...source, name, where, kinds, times: 0, requests: {} });
}

/** Counts whether the sides responded, and whether their responses are usable. */
function noteResponses(comparison: Comparison, { move, responses, unanswered }: SequenceStep) {
  if (unanswered !== undefined) {
    const reasons = new Set([...comparison.unknownReasons, unanswered]);
    comparison.unknownReasons = [...reasons].slice(0, maxReasons);
  }
  if (!('endpoint' in move)) return;
  if (unanswered !== undefined) comparison.unanswered += 1;
  // A request with another method does not count for the operation.
  if (move.call.method !== routeOf(move.endpoint).method) return;
  const isUsable = creates(move)
    ? responses?.every(readId)
    : responses?.every(({ status }) => status === 501 || status <= 499);
  increment(comparison.byOperation, move.endpoint, isUsable ? 1 : 0);
}

/** Counts the differences that a step shows. */
function countDifferences({ comparison, written }: Tally, step: SequenceStep): void {
  for (const finding of step.findings) {
    const difference = differenceNamed(comparison, nameOf(finding));
    if (difference === undefined) continue;
    difference.times += 1;
    increment(difference.requests, kindOfStep(step));
    const entry = changedEntry(step, finding, written);
    if (entry !== undefined) difference.entry ??= entry;
  }
}

/** The entry of the dialect for a request that one side refused. */
function changedEntry(
  { move, traits, responses }: SequenceStep,
  { where }: Finding,
  written: WrittenMatrix,
): string | undefined {
  const isRefused = responses?.some(({ status }) => status >= 400);
  if (!('endpoint' in move) || !isRefused || traits.length > 1) return undefined;
  if (where !== 'status' && where !== 'refusal') return undefined;
  return decidingEntry(written, move.endpoint, traits[0] ?? 'operation:given');
}

/** The operation of a request, or another move in words, with what is unusual about it. */
function kindOfStep({ move, traits }: SequenceStep): string {
  return traits.length === 0 ? describeMove(move) : `${describeMove(move)} (${traits.join(', ')})`;
}

function toTranscript(step: SequenceStep): TranscriptStep {
  const [left = {}, right = {}] = exchangesOf(step.responses ?? []);
  return { move: kindOfStep(step), sides: [left, right] };
}

/** Counts more of a kind. */
export function increment(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}
