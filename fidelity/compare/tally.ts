import { hasBounds, isRefusal } from '../../interface/dialect/cells.ts';
import {
  type Endpoint,
  type ErrorClass,
  type ErrorId,
  errorsOf,
  type RequestError,
} from '../../interface/dialect/errors.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { decidingEntry, type WrittenMatrix } from '../../interface/dialect/written-errors.ts';
import { isSameJson } from '../../interface/json.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { exchangesOf } from '../../target/requests/failure.ts';
import { readId } from '../../target/requests/read-response.ts';
import { formOf } from '../form.ts';
import { routeOf } from '../operation-calls.ts';
import {
  type Comparison,
  type Difference,
  differenceNamed,
  nameOfDifference,
  type TranscriptStep,
} from './comparison.ts';
import type { Finding } from './equality.ts';
import { creates, describeMove, type Move, type Trait } from './moves.ts';
import type { SequenceStep } from './sequence-steps.ts';

/** What has been found so far. */
export interface Tally {
  readonly comparison: Comparison;
  /** Differences that did not appear again, with the kind of request. */
  readonly unsteady: Set<string>;
  /** What the mock's dialect says about errors, as it is written. */
  readonly written: WrittenMatrix;
  /** What the mock does, as the dialect says. */
  readonly dialect: ResolvedDialect;
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
  const { comparison, unsteady, dialect } = tally;
  comparison.operations += steps.length;
  for (const [index, step] of steps.entries()) {
    noteResponses(comparison, step);
    const names = new Set(step.findings.map((finding) => nameInStep(dialect, step, finding)));
    for (const name of names) {
      const unsteadyName = `${kindOfStep(step)} | ${name}`;
      if (differenceNamed(comparison, name) !== undefined || unsteady.has(unsteadyName)) continue;
      const moves = steps.slice(0, index + 1).map(({ move }) => move);
      const confirmingSteps = await confirm(moves, name);
      if (confirmingSteps.length === 0) unsteady.add(unsteadyName);
      addConfirmed(tally, names, confirmingSteps, source);
    }
    countDifferences(tally, step);
  }
}

/** Adds the differences with some names in the last of the steps that lead to one: all are confirmed at once. */
function addConfirmed(
  { comparison, dialect }: Tally,
  names: ReadonlySet<string>,
  steps: readonly SequenceStep[],
  source: Pick<Difference, 'seed' | 'sequence'>,
): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  const transcript = steps.map(toTranscript);
  for (const finding of last.findings) {
    const name = nameInStep(dialect, last, finding);
    if (names.has(name)) addDifference(comparison, name, finding, { ...source, transcript });
  }
}

/** Classes of errors that all operations treat alike. */
const sharedClasses: readonly ErrorClass[] = ['key', 'no-key', 'route'];

/**
 * Names a difference in a step. Statuses of refusals are told apart by operation and error, as each has a cause of its
 * own; those of errors that all operations treat alike, by the error alone.
 */
export function nameInStep(
  dialect: ResolvedDialect,
  { move, traits, responses }: Pick<SequenceStep, 'move' | 'traits' | 'responses'>,
  finding: Finding,
): string {
  const name = nameOfDifference(finding);
  if (finding.where !== 'status' || !('endpoint' in move)) return name;
  const { endpoint } = move;
  const isRefused = responses?.some(({ status }) => status >= 400);
  const error = isRefused ? decidingError(dialect, endpoint, traits) : undefined;
  if (error === undefined) return `${endpoint} | ${name}`;
  const isShared = sharedClasses.includes(error.class);
  return `${isShared ? error.id : `${endpoint} (${error.id})`} | ${name}`;
}

/** The errors among what is unusual about a request. */
function errorsAmong(endpoint: Endpoint, traits: readonly Trait[]) {
  return errorsOf[endpoint].filter(({ id }) => traits.some((trait) => trait === id));
}

/** The error that decides a request with several: the mock reports it first of those that it refuses. */
function decidingError(
  { cells, orders }: ResolvedDialect,
  endpoint: Endpoint,
  traits: readonly Trait[],
) {
  const errors = errorsAmong(endpoint, traits);
  const refused = errors.filter(({ id }) => isRefusal(cells[endpoint][id]));
  const placeOf = ({ class: errorClass }: RequestError): number =>
    orders[endpoint].indexOf(errorClass);
  const [first] = (refused.length > 0 ? refused : errors).toSorted(
    (left, right) => placeOf(left) - placeOf(right),
  );
  return first;
}

function addDifference(
  comparison: Comparison,
  name: string,
  finding: Finding,
  source: Pick<Difference, 'seed' | 'sequence' | 'transcript'>,
): void {
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
function countDifferences(tally: Tally, step: SequenceStep): void {
  const { comparison, dialect } = tally;
  for (const finding of step.findings) {
    const difference = differenceNamed(comparison, nameInStep(dialect, step, finding));
    if (difference === undefined) continue;
    difference.times += 1;
    increment(difference.requests, kindOfStep(step));
    const entry = changedEntry(tally, step, finding);
    if (entry !== undefined) difference.entry ??= entry;
  }
}

/** The entry of the dialect about the single error of a request, if the service now does something else. */
function changedEntry(
  { written, dialect }: Tally,
  { move, traits, responses }: SequenceStep,
  { where }: Finding,
): string | undefined {
  if (!('endpoint' in move) || (where !== 'status' && where !== 'refusal')) return undefined;
  const [error, ...furtherErrors] = errorsAmong(move.endpoint, traits);
  const [answer] = responses ?? [];
  const isSingle = traits.every((trait) => trait === error?.id || trait === 'origin');
  if (error === undefined || furtherErrors.length > 0 || !isSingle) return undefined;
  if (answer === undefined || isAsRecorded(dialect, move.endpoint, error.id, answer))
    return undefined;
  return decidingEntry(written, move.endpoint, error.id);
}

/** Whether a service answers an error as the dialect says. Beyond which value a limit counts is not known here. */
function isAsRecorded(
  { cells, refusalBody }: ResolvedDialect,
  endpoint: Endpoint,
  error: ErrorId,
  answer: TargetResponse,
): boolean {
  const cell = cells[endpoint][error];
  if (hasBounds(cell)) return true;
  if (!isRefusal(cell)) return answer.status < 400;
  return cell.status === answer.status && isSameJson(cell.body ?? refusalBody, formOf(answer));
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
