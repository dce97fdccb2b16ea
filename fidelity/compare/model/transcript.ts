import { redact } from '../../../conformance/run/redact.ts';
import { isRequest, type Move } from '../moves/move.ts';
import type { Outcome } from '../run/run-sequence.ts';
import type { Two } from '../run/services.ts';
import { responseLines, type ShownLine, shorten } from './response-lines.ts';
import { writeShellLine } from './shell-line.ts';

/** One step of the shortest sequence. */
export interface TranscriptStep {
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

/** What led to a difference, and the two last responses. */
export interface Transcript {
  readonly steps: readonly TranscriptStep[];
  readonly responses: Two<readonly ShownLine[]>;
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
export function writeTranscript({ steps }: Outcome, where: string, shown: Shown): Transcript {
  const [one, other] = (steps.at(-1)?.exchanges ?? [[], []]).map((exchanges) =>
    redact(exchanges.at(-1), shown.apiKeys),
  );
  return {
    steps: steps.map((step) => writeStep(step, shown)),
    responses: [responseLines(one, where), responseLines(other, where)],
  };
}

function writeStep(
  { move, described, exchanges }: Outcome['steps'][number],
  { apiKeys, hasSecond }: Shown,
): TranscriptStep {
  const writeSide = (side: 0 | 1): StepOfSide => {
    const { curl, status, failure } = exchanges[side].at(-1) ?? {};
    const hasAddress = side === 0 || hasSecond;
    const line =
      hasAddress &&
      curl &&
      writeShellLine(curl, described?.request.credential, { apiKeys, variable: variables[side] });
    return {
      ...(line && { request: shorten(line, longestRequest) }),
      ...(status !== undefined && failure === undefined && { status }),
      ...(failure !== undefined && { failure: redact(failure, apiKeys) }),
    };
  };
  return { move: describeMove(move), sides: [writeSide(0), writeSide(1)] };
}

/** The variables of a shell that have the API key of each side. */
const variables = ['LIVESTREAM_API_KEY', 'SECOND_LIVESTREAM_API_KEY'] as const;

/** Characters of a request that are shown. */
const longestRequest = 1_000;

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
