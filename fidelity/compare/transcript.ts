import type { Exchange } from '../../conformance/model/report.ts';
import { redact } from '../../conformance/run/redact.ts';
import { isObject } from '../json.ts';
import type { Finding } from './equal/finding.ts';
import { describeMove } from './moves/move.ts';
import type { Step } from './run/run-sequence.ts';
import type { Two } from './run/side.ts';
import { writeShellLine } from './shell-line.ts';
import { isInBody } from './without-keys.ts';

/** What led to a difference, and the two last responses. */
export interface Transcript {
  readonly steps: readonly TranscriptStep[];
  readonly responses: Two<readonly ShownLine[]>;
}

/** One step of the shortest sequence. */
interface TranscriptStep {
  /** What was done, in words. */
  readonly move: string;
  /** What it was on each side. */
  readonly sides: Two<StepOfSide>;
}

/** A request and its response on one side; nothing where the move is no request. */
export interface StepOfSide {
  /** The request as a line for a shell; absent for a mock, which has no address. */
  readonly request?: string;
  readonly status?: number;
  /** Why there was no complete response. */
  readonly failure?: string;
}

/** A line of the last response. */
interface ShownLine {
  readonly text: string;
  /** Whether it is what the two sides differ in. */
  readonly differs: boolean;
}

/** What a transcript may show. */
interface Shown {
  readonly apiKeys: readonly string[];
  /** Whether the second side is a service, not a mock. */
  readonly hasSecond: boolean;
}

/**
 * The transcript of a sequence whose last step shows a difference at `where`. Texts are cut only after the
 * keys were replaced in them: half a key would not be found.
 */
export function writeTranscript(steps: readonly Step[], where: string, shown: Shown): Transcript {
  const [one, other] = (steps.at(-1)?.exchanges ?? [[], []]).map((exchanges) =>
    responseLines(redact(exchanges.at(-1), shown.apiKeys) ?? {}, where),
  );
  return {
    steps: steps.map((step) => writeStep(step, shown)),
    responses: [one ?? [], other ?? []],
  };
}

/** The variables of a shell that have the API key of each side. */
const variables = ['LIVESTREAM_API_KEY', 'SECOND_LIVESTREAM_API_KEY'] as const;

function writeStep(
  { move, request, odd, exchanges }: Step,
  { apiKeys, hasSecond }: Shown,
): TranscriptStep {
  const writeSide = (side: 0 | 1): StepOfSide => {
    const { curl, status, failure } = exchanges[side].at(-1) ?? {};
    if (failure !== undefined) return { failure: redact(failure, apiKeys) };
    if (curl === undefined || status === undefined) return {};
    if (side === 1 && !hasSecond) return { status };
    const line = writeShellLine(curl, request?.credential, { apiKeys, variable: variables[side] });
    return { request: shorten(line, longest.request), status };
  };
  const words = odd.length === 0 ? '' : ` (${odd.join(', ')})`;
  return { move: describeMove(move) + words, sides: [writeSide(0), writeSide(1)] };
}

/** Characters that are shown. */
const longest = { request: 1_000, body: 600, value: 300 } as const;
/** Records that are shown of a list. */
const mostRecords = 3;

/** A response as lines: its status, the header and the part of the body that differ, and little else. */
function responseLines(
  { status, headers = {}, body = '', failure }: Partial<Exchange>,
  where: string,
): ShownLine[] {
  if (status === undefined) return [{ text: failure ?? 'no response', differs: false }];
  const header = /^header (.+)$/.exec(where)?.[1] ?? (where === 'next page' ? 'link' : undefined);
  const name = header ?? 'content-type';
  const isOfBody = isInBody(where) || /^(refusal|items|order of items)$/.test(where);
  const key = isInBody(where) ? /[^.[\]]+/.exec(where)?.[0] : undefined;
  const texts = key === undefined ? [] : valuesOf(body, key);
  return [
    { text: String(status), differs: where === 'status' },
    { text: `${name}: ${headers[name] ?? '(none)'}`, differs: header !== undefined },
    ...(texts.length > 0 ? texts : [shorten(body, longest.body)]).map((text) => ({
      text,
      differs: isOfBody,
    })),
  ];
}

/** The value of a key in each record of a body, as the other keys do not differ. */
function valuesOf(body: string, key: string): string[] {
  try {
    const records = [JSON.parse(body)].flat().filter(isObject).slice(0, mostRecords);
    return records.map(
      (one) => `"${key}": ${shorten(JSON.stringify(one[key]) ?? '(none)', longest.value)}`,
    );
  } catch {
    // A body that was cut is no JSON.
    return [];
  }
}

/** A text of at most so many characters. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What is there on each side, as exactly as it is known. */
export function wordsOf({ where, kinds, delays }: Finding, { responses }: Step): Two<string> {
  if (delays !== undefined) {
    const [first, second] = delays.map((delay) => `${Math.round(delay)} ms`);
    return [`${kinds[0]} (${first})`, `${kinds[1]} (${second})`];
  }
  if (where !== 'order of items') return kinds;
  const [first, second] = [orderOf(responses?.[0].text), orderOf(responses?.[1].text)];
  return first === second ? kinds : [first, second];
}

/** The order of the records in a body, by when they were created. */
function orderOf(body = ''): string {
  const times = [...body.matchAll(/"createdAt":\s*(\d+)/g)].map(([, time]) => Number(time));
  const isIn = (order: 1 | -1): boolean =>
    times.every((time, index) => index === 0 || order * (time - (times[index - 1] ?? 0)) >= 0);
  return isIn(1) ? 'oldest first' : isIn(-1) ? 'newest first' : 'another order';
}
