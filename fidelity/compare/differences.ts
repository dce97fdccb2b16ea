import type { Exchange } from '../../conformance/model/report.ts';
import { redact } from '../../conformance/run/redact.ts';
import { nearKeys } from '../../conformance/target/near-keys.ts';
import { readId } from '../../conformance/target/operations.ts';
import { quote } from '../../curl.ts';
import { wordsFor } from '../../interface/accepted.ts';
import { isRefusal } from '../../interface/cells.ts';
import type { Matrix } from '../../interface/refusals.ts';
import { isObject } from '../json.ts';
import {
  type Comparison,
  type Difference,
  placeOf,
  type ShownLine,
  type StepOfSide,
  type Transcript,
} from './comparison.ts';
import { creates } from './made.ts';
import { describeMove, methodOf, routeOf } from './moves.ts';
import type { Finding, Two } from './records.ts';
import type { SequenceStep } from './run.ts';

/** What has been found so far, and what a report may show of it. */
export interface Tally {
  readonly comparison: Comparison;
  /** By place, as it is before keys are replaced in it. */
  readonly byPlace: Map<string, Difference>;
  /** Kinds of requests that showed a difference which did not come again. */
  readonly unsteady: Set<string>;
  /** Whether some request of an operation, with its own method, had a usable response from both sides. */
  readonly answered: Map<string, boolean>;
  /** Known differences whose sequence was run to its end. */
  readonly tried: Set<string>;
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
export function noteSteps(steps: readonly SequenceStep[], { comparison, answered }: Tally): void {
  comparison.sequences += 1;
  comparison.operations += steps.filter(({ isOperation }) => isOperation).length;
  const reasons = steps.flatMap(({ unanswered }) => unanswered ?? []);
  const all = new Set([...comparison.unknownReasons, ...reasons]);
  comparison.unknownReasons = [...all].slice(0, mostReasons);
  for (const { request, exchanges, responses, unanswered } of steps) {
    if (request === undefined || exchanges[0].length === 0) continue;
    const { operation } = request;
    increment(comparison.byOperation, operation);
    if (unanswered !== undefined) comparison.unanswered += 1;
    const isUsable = creates(request)
      ? responses?.every(readId)
      : responses?.every(({ status }) => status === 501 || status <= 499);
    const isOwnMethod = methodOf(request) === routeOf(operation).method;
    if (!isOwnMethod) continue;
    answered.set(operation, isUsable === true || answered.get(operation) === true);
  }
}

/** Counts one more of a kind. */
export function increment(counts: Record<string, number>, kind: string): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}

/** The operation of a request, with what is not usual in it. */
export function kindOf({ request, odd }: SequenceStep): string {
  const { operation = '' } = request ?? {};
  return odd.length === 0 ? operation : `${operation} (${odd.join(', ')})`;
}

/** Counts a difference that a step shows. */
export function countDifference({ byPlace }: Tally, finding: Finding, step: SequenceStep): void {
  const difference = byPlace.get(placeOf(finding));
  if (difference === undefined) return;
  difference.times += 1;
  increment(difference.requests, kindOf(step));
}

/** Characters that are kept of what is on a side. */
const longestKind = 300;

/** Adds findings of the last of some steps, those at a new place. */
export function addDifferences(
  found: Tally,
  steps: readonly SequenceStep[],
  findings: readonly Finding[],
  origin: Pick<Difference, 'seed' | 'sequence' | 'isLong'> = { isLong: false },
): void {
  const last = steps.at(-1);
  if (last === undefined) return;
  const { byPlace, comparison, secrets, cells } = found;
  for (const finding of findings.filter((one) => !byPlace.has(placeOf(one)))) {
    const { where, kinds, words = kinds } = redact(finding, secrets);
    // Half a key would not be found, so texts are cut last.
    const cut = ([one, other]: Two<string>) =>
      [one.slice(0, longestKind), other.slice(0, longestKind)] as const;
    const cell = changedCell(last, finding, cells);
    const difference: Difference = {
      ...origin,
      place: placeOf({ where, kinds: cut(kinds) }),
      where,
      words: cut(words),
      times: 0,
      requests: {},
      ...(cell !== undefined && { cell }),
      transcript: {
        steps: steps.map((step) => writeStep(step, found)),
        responses: [
          responseLines(last.exchanges[0], where, secrets),
          responseLines(last.exchanges[1], where, secrets),
        ],
      },
    };
    byPlace.set(placeOf(finding), difference);
    comparison.differences.push(difference);
    increment(comparison.steady, last.request?.operation ?? '');
  }
}

/**
 * The cell of the dialect that is about a request, such as `refusals.createStream.key:none`, where the mock
 * did as it says, and it could say what the target did.
 */
function changedCell(
  { request, odd, responses }: SequenceStep,
  { where }: Finding,
  cells: Matrix | undefined,
): string | undefined {
  const [error = 'operation:given'] = odd;
  const cell = request && cells?.[request.operation].get(error);
  if (!responses || !cell || odd.length > 1 || !['status', 'refusal'].includes(where))
    return undefined;
  const [target, mock] = responses;
  const isSaid = isRefusal(cell) ? cell.status === mock.status : mock.status < 400;
  const mayAccept = isRefusal(cell) && wordsFor(request.operation, error).length > 0;
  return isSaid && (mayAccept || target.status >= 400)
    ? `refusals.${request.operation}.${error}`
    : undefined;
}

/** The variables of a shell that have the API key of each side. */
const variables = ['LIVESTREAM_API_KEY', 'SECOND_LIVESTREAM_API_KEY'] as const;

/** Characters that are shown. */
const longest = { request: 1_000, body: 600, value: 300 } as const;
/** Records that are shown of a list. */
const mostRecords = 3;

function writeStep(
  { move, odd, exchanges }: SequenceStep,
  { apiKeys, secrets }: Tally,
): Transcript['steps'][number] {
  const writeSide = (side: 0 | 1): StepOfSide => {
    const { curl, status, failure } = exchanges[side].at(-1) ?? {};
    const apiKey = apiKeys[side];
    if (failure !== undefined) return { failure: redact(failure, secrets) };
    if (curl === undefined || status === undefined) return {};
    // A mock has no address.
    if (apiKey === undefined) return { status };
    const line = redact(withVariable(curl, apiKey, variables[side]), secrets);
    return { request: shorten(line, longest.request), status };
  };
  const words = odd.length === 0 ? '' : ` (${odd.join(', ')})`;
  return { move: describeMove(move) + words, sides: [writeSide(0), writeSide(1)] };
}

/** The header in a line of curl, whose quotes a shell undoes. */
const authorization = /-H 'authorization: (?:[^']|'\\'')*'/;

/** A line of curl that takes the key, or the key without its last character, from a variable of a shell. */
export function withVariable(curl: string, apiKey: string, variable: string): string {
  const inQuotes = (key: string): string => quote(key).slice(1, -1);
  return curl.replace(authorization, (header) =>
    header
      .replace(inQuotes(apiKey), () => `'"$${variable}"'`)
      .replace(inQuotes(nearKeys(apiKey).short), () => `'"\${${variable}%?}"'`),
  );
}

/** A response as lines: its status, the header and the part of the body that differ, and little else. */
function responseLines(
  exchanges: readonly Exchange[],
  where: string,
  secrets: readonly string[],
): ShownLine[] {
  const {
    status,
    headers = {},
    body = '',
    failure = 'no response',
  }: Partial<Exchange> = redact(exchanges.at(-1), secrets) ?? {};
  if (status === undefined) return [{ text: failure, differs: false }];
  const header = where === 'next page' ? 'link' : /^header (.+)$/.exec(where)?.[1];
  const name = header ?? 'content-type';
  const isOfBody = where !== 'status' && header === undefined;
  return [
    { text: String(status), differs: where === 'status' },
    { text: `${name}: ${headers[name] ?? '(none)'}`, differs: header !== undefined },
    ...bodyLines(body, where).map((text) => ({ text, differs: isOfBody })),
  ];
}

/** The value of the key in a path in each record of a body, as the others do not differ; or the whole body. */
function bodyLines(body: string, path: string): string[] {
  const key = /[^.[\]]+/.exec(path.replace(/^(\[\]|stream|session)\./, ''))?.[0] ?? '';
  const json = readText(body);
  const records = [json].flat().filter(isObject).slice(0, mostRecords);
  if (!records.some((one) => Object.hasOwn(one, key))) return [shorten(body, longest.body)];
  return records.map(
    (one) => `"${key}": ${shorten(JSON.stringify(one[key]) ?? '(none)', longest.value)}`,
  );
}

/** A text as JSON; `undefined` where it is none, or was cut. */
function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
