import type { Exchange } from '../../../conformance/model/report.ts';
import { redact } from '../../../conformance/run/redact.ts';
import { isObject } from '../../json.ts';
import { isInBody } from '../equal/without-keys.ts';
import { isRequest, type Move } from '../moves/move.ts';
import type { Outcome } from '../run/run-sequence.ts';
import type { Two } from '../run/services.ts';
import { writeShellLine } from './shell-line.ts';

/** One step of the shortest sequence, as the first side met it. */
export interface TranscriptStep {
  /** What was done, in words. */
  readonly move: string;
  /** The request as a line for a shell; absent where the move is no request. */
  readonly request?: string;
  readonly status?: number;
}

/** A line of the last response. */
export interface ShownLine {
  readonly text: string;
  /** Whether it is what the two sides differ in. */
  readonly differs?: true;
}

/** What led to a difference, and the two last responses. */
export interface Transcript {
  readonly steps: readonly TranscriptStep[];
  readonly responses: Two<readonly ShownLine[]>;
}

/**
 * The transcript of a sequence whose last step shows a difference at `where`. Texts are cut only after the
 * keys were replaced in them: half a key would not be found.
 */
export function writeTranscript(
  { steps }: Outcome,
  where: string,
  apiKeys: readonly string[],
): Transcript {
  const [one, other] = (steps.at(-1)?.exchanges ?? [[], []]).map((exchanges) =>
    redact(exchanges.at(-1), apiKeys),
  );
  return {
    steps: steps.map((step) => writeStep(step, apiKeys)),
    responses: [responseLines(one, where), responseLines(other, where)],
  };
}

function writeStep(
  { move, described, exchanges }: Outcome['steps'][number],
  apiKeys: readonly string[],
): TranscriptStep {
  const { curl, status } = exchanges[0].at(-1) ?? {};
  const line = curl && writeShellLine(curl, described?.request.credential, apiKeys);
  return {
    move: describeMove(move),
    ...(line !== undefined && { request: shorten(line, longest.request) }),
    ...(status !== undefined && { status }),
  };
}

/** A move in words. */
function describeMove(move: Move): string {
  if (isRequest(move)) return move.operation;
  if ('wait' in move) return `wait ${move.wait} ms`;
  if ('stop' in move) return 'the stream stops being live';
  if ('follow' in move) return 'follow the link to the next page';
  return move.seconds === undefined
    ? 'the stream goes live'
    : `the stream is live for ${move.seconds} s`;
}

/** Characters that are shown. */
const longest = { request: 1_000, refusal: 600, value: 300, beside: 120 } as const;

/** A response as lines: the status, the header or the part of the body that differs, and little else. */
function responseLines(exchange: Exchange | undefined, where: string): ShownLine[] {
  if (exchange === undefined) return [];
  const { status, headers = {}, body = '', failure } = exchange;
  if (status === undefined) return [{ text: failure ?? 'no response' }];
  return [
    mark(String(status), where === 'status'),
    ...headersShown(where).flatMap((name) => headerLine(name, headers[name], where)),
    ...bodyLines(body, where),
  ];
}

/** The headers that are shown: the one that differs, and those without which a body says little. */
function headersShown(where: string): readonly string[] {
  if (where === 'next page') return ['link', 'x-next-cursor'];
  const header = headerOf(where);
  return header === undefined ? ['content-type'] : [header];
}

function headerOf(where: string): string | undefined {
  return /^header (.+)$/.exec(where)?.[1];
}

function headerLine(name: string, value: string | undefined, where: string): ShownLine[] {
  const differs = headerOf(where) === name || where === 'next page';
  if (value === undefined && !differs) return [];
  return [mark(`${name}: ${value ?? '(none)'}`, differs)];
}

function bodyLines(body: string, where: string): ShownLine[] {
  if (body === '') return [];
  const key = isInBody(where) ? /[^.[\]]+/.exec(where)?.[0] : undefined;
  const records = key === undefined ? [] : recordsIn(body);
  if (key !== undefined && records.length > 0) return memberLines(records, key);
  const isBeside = /^(header|next page|renditions|duration|delay|address)/.test(where);
  const text = shorten(body, isBeside ? longest.beside : longest.refusal);
  return [mark(text, /^(refusal|items|order of items)$/.test(where))];
}

type Parsed = Readonly<Record<string, unknown>>;

function recordsIn(body: string): Parsed[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject);
  } catch {
    // A body that was cut is no JSON.
    return [];
  }
}

/** Records that are shown of a list. */
const mostRecords = 3;

/** The id of each record and the key that differs, as the other keys do not. */
function memberLines(records: readonly Parsed[], key: string): ShownLine[] {
  return records.slice(0, mostRecords).flatMap((record) => {
    const value = record[key] === undefined ? '(none)' : JSON.stringify(record[key]);
    const keys = Object.keys(record).filter((one) => one !== key && one !== 'id');
    return [
      ...('id' in record && key !== 'id'
        ? [{ text: `"id": ${JSON.stringify(record['id'])}` }]
        : []),
      mark(shorten(`"${key}": ${value}`, longest.value), true),
      { text: `and ${keys.length} more keys` },
    ];
  });
}

function mark(text: string, differs: boolean): ShownLine {
  return { text, ...(differs && { differs }) };
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What is there on each side, as exactly as it is known. */
export function wordsOf({ steps, difference }: Outcome): Two<string> | undefined {
  if (difference === undefined) return undefined;
  const { where, kinds, delays } = difference.finding;
  if (delays !== undefined) {
    const [first, second] = delays.map((delay) => `${Math.round(delay)} ms`);
    return [`${kinds[0]} (${first})`, `${kinds[1]} (${second})`];
  }
  if (where !== 'order of items') return kinds;
  const [one, other] = steps.at(-1)?.responses ?? [];
  const [first, second] = [orderOf(one?.text), orderOf(other?.text)];
  return first === second ? kinds : [first, second];
}

/** The order of the records in a body, by when they were created. */
function orderOf(body = ''): string {
  const times = [...body.matchAll(/"createdAt":\s*(\d+)/g)].map(([, time]) => Number(time));
  const ascending = times.toSorted((a, b) => a - b);
  if (times.every((time, index) => time === ascending[index])) return 'oldest first';
  ascending.reverse();
  return times.every((time, index) => time === ascending[index]) ? 'newest first' : 'another order';
}
