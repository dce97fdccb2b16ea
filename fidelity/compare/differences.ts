import type { Evidence } from '../../conformance/model/report.ts';
import { redact } from '../../conformance/run/redact.ts';
import { readId } from '../../conformance/target/operations.ts';
import { entryFor, type WrittenRefusals } from '../../interface/refusals.ts';
import { routeOf } from '../calls.ts';
import { type Comparison, type Difference, placeOf } from './comparison.ts';
import { creates, describeMove } from './moves.ts';
import type { Finding } from './records.ts';
import type { SequenceStep } from './run.ts';

/** What has been found so far, and what a report may show of it. */
export interface Tally {
  readonly comparison: Comparison;
  /** By place, as it is before keys are replaced in it. */
  readonly byPlace: Map<string, Difference>;
  /** Kinds of requests with a difference that did not come again. */
  readonly unsteady: Set<string>;
  /** API keys, also those that are almost right. */
  readonly secrets: readonly string[];
  /** What the dialect of the mock says of refusals. */
  readonly refusals: WrittenRefusals;
}

/** Reasons for missing responses that are kept. */
const maxReasons = 3;

/** Counts what a sequence has seen. */
export function noteSteps(steps: readonly SequenceStep[], { comparison }: Tally): void {
  comparison.sequences += 1;
  comparison.operations += steps.length;
  for (const { move, responses, unanswered } of steps) {
    if (unanswered !== undefined) {
      const reasons = new Set([...comparison.unknownReasons, unanswered]);
      comparison.unknownReasons = [...reasons].slice(0, maxReasons);
    }
    if (!('operation' in move)) continue;
    if (unanswered !== undefined) comparison.unanswered += 1;
    // A request with another method says nothing of the operation.
    if (move.call.method !== routeOf(move.operation).method) continue;
    const isUsable = creates(move)
      ? responses?.every(readId)
      : responses?.every(({ status }) => status === 501 || status <= 499);
    increment(comparison.byOperation, move.operation, isUsable ? 1 : 0);
  }
}

/** Counts more of a kind. */
export function increment(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

/** The operation of a request, or another move in words, with what is not usual in it. */
export function kindOf({ move, odd }: Pick<SequenceStep, 'move' | 'odd'>): string {
  return odd.length === 0 ? describeMove(move) : `${describeMove(move)} (${odd.join(', ')})`;
}

/** Counts the differences that a step shows. */
export function countDifferences({ byPlace, refusals }: Tally, step: SequenceStep): void {
  for (const finding of step.findings) {
    const difference = byPlace.get(placeOf(finding));
    if (difference === undefined) continue;
    difference.times += 1;
    increment(difference.requests, kindOf(step));
    const entry = changedEntry(step, finding, refusals);
    if (entry !== undefined) difference.entry ??= `refusals.${entry}`;
  }
}

/** The entry of the dialect that says how the mock answers a request which one side refused. */
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

/** Adds the differences that the last of some steps shows at some places, and that are new. */
export function addDifferences(
  { byPlace, comparison, secrets }: Tally,
  steps: readonly SequenceStep[],
  places: ReadonlySet<string>,
  origin: Pick<Difference, 'seed' | 'sequence'> = {},
): void {
  for (const finding of steps.at(-1)?.findings ?? []) {
    if (byPlace.has(placeOf(finding)) || !places.has(placeOf(finding))) continue;
    const { where, kinds } = redact(finding, secrets);
    const words = [shorten(kinds[0]), shorten(kinds[1])] as const;
    const transcript = steps.map((step) => {
      const [one, other] = step.exchanges.map((all) => shortEvidence(redact(all.at(-1), secrets)));
      return { move: kindOf(step), sides: [one ?? {}, other ?? {}] as const };
    });
    const place = placeOf({ where, kinds: words });
    const difference = { ...origin, place, where, words, times: 0, requests: {}, transcript };
    byPlace.set(placeOf(finding), difference);
    comparison.differences.push(difference);
  }
}

/** What a report shows of an exchange. Half a key would not be found, so texts are cut last. */
function shortEvidence({ curl, body, ...more }: Partial<Evidence> = {}): Partial<Evidence> {
  return {
    ...more,
    ...(curl !== undefined && { curl: shorten(curl, 1_000) }),
    ...(body !== undefined && { body: shorten(body, 1_500) }),
  };
}

/** A text of at most so many characters. */
export function shorten(text: string, most = 300): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
