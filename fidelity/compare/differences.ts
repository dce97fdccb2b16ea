import type { Evidence } from '../../conformance/model/report.ts';
import { redact } from '../../conformance/run/redact.ts';
import { readId } from '../../conformance/target/operations.ts';
import { quote } from '../../curl.ts';
import { isRefusal, wordsFor } from '../../interface/cells.ts';
import type { Matrix } from '../../interface/refusals.ts';
import { routeOf } from '../calls.ts';
import {
  type Comparison,
  type Difference,
  placeOf,
  type StepOfSide,
  type Transcript,
} from './comparison.ts';
import { creates } from './made.ts';
import { describeMove, methodOf } from './moves.ts';
import type { Finding, Two } from './records.ts';
import type { SequenceStep } from './run.ts';

/** What has been found so far, and what a report may show of it. */
export interface Tally {
  readonly comparison: Comparison;
  /** By place, as it is before keys are replaced in it. */
  readonly byPlace: Map<string, Difference>;
  /** Kinds of requests that showed a difference which did not come again. */
  readonly unsteady: Set<string>;
  /** Places of differences, new or known, that there was no time or no response to check. */
  readonly unchecked: Set<string>;
  /** API keys, also those that are almost right. */
  readonly secrets: readonly string[];
  /** The API key of each side that has an address. */
  readonly apiKeys: Two<string | undefined>;
  /** What the dialect of the mock says of refusals. */
  readonly cells: Matrix | undefined;
}

/** Reasons for missing responses that are kept. */
const mostReasons = 3;

/** Counts what a sequence has seen. */
export function noteSteps(steps: readonly SequenceStep[], { comparison, secrets }: Tally): void {
  comparison.sequences += 1;
  comparison.operations += steps.length;
  for (const { move, responses, unanswered } of steps) {
    if (unanswered !== undefined) noteReason(comparison, redact(unanswered, secrets));
    if (!('operation' in move)) continue;
    if (unanswered !== undefined) comparison.unanswered += 1;
    // A request with another method says nothing of the operation.
    if (methodOf(move) !== routeOf(move.operation).method) continue;
    const isUsable = creates(move)
      ? responses?.every(readId)
      : responses?.every(({ status }) => status === 501 || status <= 499);
    increment(comparison.byOperation, move.operation, isUsable ? 1 : 0);
  }
}

function noteReason(comparison: Comparison, reason: string): void {
  const all = new Set([...comparison.unknownReasons, reason]);
  comparison.unknownReasons = [...all].slice(0, mostReasons);
}

/** Counts more of a kind. */
export function increment(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

/** The operation of a request, or another move in words, with what is not usual in it. */
export function kindOf({ move, odd }: Pick<SequenceStep, 'move' | 'odd'>): string {
  return odd.length === 0 ? describeMove(move) : `${describeMove(move)} (${odd.join(', ')})`;
}

/** Counts a difference that a step shows. */
export function countDifference(
  { byPlace, cells }: Tally,
  finding: Finding,
  step: SequenceStep,
): void {
  const difference = byPlace.get(placeOf(finding));
  if (difference === undefined) return;
  difference.times += 1;
  increment(difference.requests, kindOf(step));
  const cell = changedCell(step, finding, cells);
  if (cell !== undefined) difference.cell ??= cell;
}

/** Characters that are kept of what is on a side. */
const longestKind = 300;

/** Adds findings of the last of some steps, those at a new place. */
export function addDifferences(
  found: Tally,
  steps: readonly SequenceStep[],
  findings: readonly Finding[],
  origin: Pick<Difference, 'seed' | 'sequence'> = {},
): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  const { byPlace, comparison, secrets } = found;
  for (const finding of findings.filter((one) => !byPlace.has(placeOf(one)))) {
    const { where, kinds } = redact(finding, secrets);
    // Half a key would not be found, so texts are cut last.
    const words = [kinds[0].slice(0, longestKind), kinds[1].slice(0, longestKind)] as const;
    const difference: Difference = {
      ...origin,
      place: placeOf({ where, kinds: words }),
      where,
      words,
      times: 0,
      requests: {},
      transcript: {
        steps: steps.map((step) => writeStep(step, found)),
        responses: [
          describeResponse(last.exchanges[0], where, secrets),
          describeResponse(last.exchanges[1], where, secrets),
        ],
      },
    };
    byPlace.set(placeOf(finding), difference);
    comparison.differences.push(difference);
  }
}

/**
 * The cell of the dialect that is about a request, such as `refusals.createStream.key:none`, where the mock
 * did as it says, and it could say what the target did.
 */
function changedCell(
  { move, odd, responses }: SequenceStep,
  { where }: Finding,
  cells: Matrix | undefined,
): string | undefined {
  if (!('operation' in move) || responses === undefined || odd.length > 1) return undefined;
  const [error = 'operation:given'] = odd;
  const { operation } = move;
  const cell = cells?.[operation].get(error);
  if (cell === undefined || !['status', 'refusal'].includes(where)) return undefined;
  const [target, mock] = responses;
  const isSaid = isRefusal(cell) ? cell.status === mock.status : mock.status < 400;
  const mayAccept = isRefusal(cell) && wordsFor(operation, error).length > 0;
  return isSaid && (mayAccept || target.status >= 400)
    ? `refusals.${operation}.${error}`
    : undefined;
}

/** The variables of a shell that have the API key of each side. */
const variables = ['LIVESTREAM_API_KEY', 'SECOND_LIVESTREAM_API_KEY'] as const;

/** Characters that are shown. */
const longest = { request: 1_000, body: 1_500 } as const;

function writeStep(step: SequenceStep, { apiKeys, secrets }: Tally): Transcript['steps'][number] {
  const writeSide = (side: 0 | 1): StepOfSide => {
    const { curl, status, failure } = step.exchanges[side].at(-1) ?? {};
    const apiKey = apiKeys[side];
    if (failure !== undefined) return { failure: redact(failure, secrets) };
    if (curl === undefined || status === undefined) return {};
    // A mock has no address.
    if (apiKey === undefined) return { status };
    const line = redact(withVariable(curl, apiKey, variables[side]), secrets);
    return { request: shorten(line, longest.request), status };
  };
  return { move: kindOf(step), sides: [writeSide(0), writeSide(1)] };
}

/** The header in a line of curl, whose quotes a shell undoes. */
const authorization = /-H 'authorization: (?:[^']|'\\'')*'/;

/** A line of curl that takes the key from a variable of a shell. */
export function withVariable(curl: string, apiKey: string, variable: string): string {
  const inQuotes = quote(apiKey).slice(1, -1);
  return curl.replace(authorization, (header) =>
    header.replace(inQuotes, () => `'"$${variable}"'`),
  );
}

/** The last response: its status, the header that differs or the content type, and its body. */
function describeResponse(
  exchanges: readonly Evidence[],
  where: string,
  secrets: readonly string[],
): string {
  const last: Partial<Evidence> = redact(exchanges.at(-1), secrets) ?? {};
  const { status, headers = {}, body = '', failure = 'no response' } = last;
  if (status === undefined) return failure;
  const [, header = where === 'next page' ? 'link' : 'content-type'] =
    /^header (.+)$/.exec(where) ?? [];
  return [status, `${header}: ${headers[header] ?? '(none)'}`, shorten(body, longest.body)].join(
    '\n',
  );
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
