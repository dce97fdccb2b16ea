import * as z from 'zod';
import type { Evidence } from '../../conformance/model/report.ts';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import { exchangesOf } from '../../conformance/target/failure.ts';
import { readId } from '../../conformance/target/operations.ts';
import { entryFor, type WrittenRefusals } from '../../interface/dialect/refusals.ts';
import { version } from '../../package.json' with { type: 'json' };
import { routeOf } from '../calls.ts';
import type { BothSides } from './both-sides.ts';
import type { Finding } from './equality.ts';
import { creates, describeMove, type Move } from './moves.ts';
import type { SequenceStep } from './run-sequence.ts';

/** A step in words, and its last request and response on each side. */
export interface TranscriptStep {
  readonly move: string;
  readonly sides: BothSides<Partial<Evidence>>;
}

/** A difference between the two sides: one cause, in all requests that show it. */
export interface Difference {
  /** Where it is, and what is there on each side. A file of known differences has it as `difference`. */
  readonly name: string;
  /** `status`, `header link`, `refusal`, or the path of a key. */
  readonly where: string;
  /** What is there on each side, in full. */
  readonly kinds: BothSides<string>;
  /** Steps that showed it. */
  times: number;
  /** How often each kind of request showed it, such as `createStream (field:name:null)`. */
  readonly requests: Record<string, number>;
  /** The random sequence that showed it first, and its seed; absent where an archive was sent. */
  readonly seed?: number;
  readonly sequence?: number;
  /** The shortest sequence that was found. */
  readonly transcript: readonly TranscriptStep[];
  /** The entry of the mock's dialect that has changed, such as `refusals.createStream.key:none`. */
  entry?: string;
  /** Why it is accepted, if it is a known one. */
  known?: string;
}

/** What a comparison of two services has found. */
export type Comparison = ReturnType<typeof startComparison>;

/** A comparison that has found nothing yet. It grows while the services are compared. */
export function startComparison(facts: {
  readonly startedAt: string;
  /** What is compared: the first is the target. */
  readonly sides: BothSides<string>;
  /** The base URL of each, or the dialect of the mock. */
  readonly compared: BothSides<string>;
  readonly seed: number;
  /** Whether both sides have a provider of sessions. */
  readonly withSessions: boolean;
}) {
  return {
    format: 'livestream-mock/comparison' as const,
    version: 3 as const,
    /** The version of `livestream-mock` that compared. */
    tool: version,
    ...facts,
    /** Milliseconds. */
    duration: 0,
    /** Unknown ones first, then those that appeared most often. */
    differences: [] as Difference[],
    /** Known differences that did not appear although their sequence was run. */
    unseen: [] as string[],
    /** How many differences did not appear again when their sequence was run again, or could not be tried again. */
    unsteady: 0,
    /** What was done on each side: requests, going live and stopping. */
    operations: 0,
    sequences: 0,
    /**
     * How many requests of each operation had a usable response from both sides: one that is not a failure
     * of the server and, where streams are created, a success.
     */
    byOperation: {} as Record<string, number>,
    /** Requests without a response. */
    unanswered: 0,
    /** A few different reasons why there was no response, or no session. */
    unknownReasons: [] as readonly string[],
    /** Why a search ended before its last operation. */
    end: undefined as string | undefined,
    /** How many requests of an archive were not sent, by reason; `undefined` without an archive. */
    skipped: undefined as Record<string, number> | undefined,
    /** Why the target cannot be compared at all. */
    unreachable: undefined as string | undefined,
    /** Why the provider of sessions does not work; nothing is compared then, either. */
    withoutSessions: undefined as string | undefined,
    interrupted: false,
    /** What is left on the targets. */
    leftBehind: [] as readonly string[],
  };
}

/**
 * Names a difference, without the operation: a status, a header, a key of a record or the form of refusals,
 * with what is there on each side.
 */
export function nameOf({ where, kinds }: Finding): string {
  const key = where.replace(/^(?:\[\]|stream|session)\.(?=.)/, '');
  return `${key} | ${kindsOf(where, kinds).join(' ≠ ')}`;
}

/** What is there on each side, without what varies from one request to the next. */
function kindsOf(where: string, kinds: BothSides<string>): readonly string[] {
  if (where === 'refusal') {
    const forms = kinds.map(withoutCodes);
    return forms[0] === forms[1] ? kinds : forms;
  }
  if (!where.startsWith('header ') || where === 'header content-type') return kinds;
  // Values such as methods differ from path to path.
  return kinds.includes('absent')
    ? kinds.map((kind) => (kind === 'absent' ? kind : 'present'))
    : ['one', 'another'];
}

/** The form of a refusal without its codes, which differ between kinds of refusals. */
function withoutCodes(form: string): string {
  return JSON.stringify(JSON.parse(form), (_, value) => (typeof value === 'string' ? '…' : value));
}

/** What has been found so far. */
export interface Tally {
  readonly comparison: Comparison;
  /** Differences that did not appear again, with the kind of request. */
  readonly unsteady: Set<string>;
  /** What the mock's dialect says about refusals. */
  readonly refusals: WrittenRefusals;
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
  origin: Pick<Difference, 'seed' | 'sequence'> = {},
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
      const shown = await confirm(moves, name);
      if (shown.length === 0) unsteady.add(unsteadyName);
      // What one response shows at several places is confirmed at once.
      const confirmed = shown.at(-1)?.findings ?? [];
      const transcript = shown.map(describeStep);
      for (const finding of confirmed.filter((one) => names.has(nameOf(one)))) {
        addDifference(comparison, finding, { ...origin, transcript });
      }
    }
    countDifferences(tally, step);
  }
}

/** The difference with a name, if it was found. */
export function differenceNamed({ differences }: Comparison, name: string): Difference | undefined {
  return differences.find((one) => one.name === name);
}

function addDifference(
  comparison: Comparison,
  finding: Finding,
  shown: Pick<Difference, 'seed' | 'sequence' | 'transcript'>,
): void {
  const name = nameOf(finding);
  if (differenceNamed(comparison, name) !== undefined) return;
  const { where, kinds } = finding;
  comparison.differences.push({ ...shown, name, where, kinds, times: 0, requests: {} });
}

/** Counts whether the sides responded, and whether their responses are usable. */
function noteResponses(
  comparison: Comparison,
  { move, responses, unanswered }: SequenceStep,
): void {
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

/** Counts the differences that a step shows. */
function countDifferences({ comparison, refusals }: Tally, step: SequenceStep): void {
  for (const finding of step.findings) {
    const difference = differenceNamed(comparison, nameOf(finding));
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

function describeStep(step: SequenceStep): TranscriptStep {
  const [one = {}, other = {}] = exchangesOf(step.responses ?? []);
  return { move: kindOfStep(step), sides: [one, other] };
}

/** Counts more of a kind. */
export function increment(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

/** A text, cut to `max` characters. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** The reason in an entry that a report prints, until somebody writes another. */
export const reasonToWrite = 'write why it is accepted';

const entrySchema = z.strictObject(
  {
    // Its name, as reports print it.
    difference: z.string('a difference'),
    reason: z
      .string('a reason')
      .refine((text) => text !== reasonToWrite, `your own reason in place of "${reasonToWrite}"`),
    // The random sequence that shows it, which is run first. Without it, the difference need not appear.
    seed: z.int().min(0).exactOptional(),
    sequence: z.int().min(0).exactOptional(),
  },
  'an object with only difference and reason, and perhaps seed and sequence',
);

/** An accepted difference: an entry of a file of known differences. */
export type KnownDifference = z.infer<typeof entrySchema>;

/** Reads a file of known differences. @throws TypeError, in one sentence, for another text */
export function parseKnown(text: string): readonly KnownDifference[] {
  const known = z.array(entrySchema, 'an array');
  const schema = z.strictObject({ known }, 'an object with only the key known');
  return parseReviewed(text, schema).known;
}
