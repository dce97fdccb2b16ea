import * as z from 'zod';
import type { Evidence } from '../../conformance/model/report.ts';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import type { Finding, Two } from './records.ts';

/** A difference between the two sides: one cause, in whatever requests it shows. */
export interface Difference {
  /** Where it is and what is there on each side: what names it in a file of known differences too. */
  readonly place: string;
  /** `status`, `header link`, `refusal`, or the path of a key. */
  readonly where: string;
  /** What is there on each side, as exactly as it is known. */
  readonly words: Two<string>;
  /** Steps that showed it. */
  times: number;
  /** How often each kind of request showed it, such as `createStream (field:name:null)`. */
  readonly requests: Record<string, number>;
  /** The random sequence that showed it first, and its seed; absent where an archive was sent. */
  readonly seed?: number;
  readonly sequence?: number;
  /** The shortest sequence that was found: each step in words, and its last request and response on each side. */
  readonly transcript: readonly { readonly move: string; readonly sides: Two<Partial<Evidence>> }[];
  /** The entry of the mock's dialect that has changed, such as `refusals.createStream.key:none`. */
  entry?: string;
  /** Why it is accepted, if it is a known one. */
  known?: string;
}

/** What a comparison of two services has found: it grows as long as they are compared. */
export interface Comparison {
  format: 'livestream-mock/comparison';
  version: 3;
  /** The version of `livestream-mock` that compared. */
  tool: string;
  startedAt: string;
  /** Milliseconds. */
  duration: number;
  /** What is compared: the first is the target. */
  sides: Two<string>;
  /** The base address of each, or the dialect of the mock. */
  compared: Two<string>;
  seed: number;
  /** Unknown ones first, and those that showed most often. */
  differences: Difference[];
  /** Known differences whose sequence was run, and that did not appear. */
  unseen: string[];
  /** How many differences did not come again, or could not be looked for again. */
  unsteady: number;
  /** What each side was asked for: requests, going live and stopping. */
  operations: number;
  sequences: number;
  /**
   * How many requests of each operation had a usable response from both sides: one that is no failure of
   * the server and, where streams are created, a success.
   */
  byOperation: Record<string, number>;
  /** Requests without a response. */
  unanswered: number;
  /** Why there was no response, or no session: different reasons, a few of them. */
  unknownReasons: string[];
  /** Why a search ended before its last operation. */
  end?: string;
  /** Requests of an archive that were not sent, by why. */
  skipped?: Record<string, number>;
  /** Whether both sides had a source of sessions. */
  withSessions: boolean;
  /** Why the target cannot be compared at all. */
  unreachable?: string;
  /** Why there are no sessions as the options say; then nothing was compared either. */
  withoutSessions?: string;
  interrupted?: true;
  /** What remains on the targets. */
  leftBehind: string[];
}

/** Whether no search can begin. */
export function isObstructed({ unreachable, withoutSessions }: Comparison): boolean {
  return (unreachable ?? withoutSessions) !== undefined;
}

/** Whether most differences did not come again: what the services do is not known. */
export function isUnsteady({ unsteady, differences }: Comparison): boolean {
  return unsteady > differences.length;
}

/** Operations of which no request had a usable response. */
export function neverAnswered({ byOperation }: Comparison): string[] {
  return Object.keys(byOperation).filter((name) => byOperation[name] === 0);
}

/** Whether it ended before all was asked; a random search ends with its time, and an archive does not. */
function endedEarly({ end, skipped }: Comparison): boolean {
  return end !== undefined && (end !== 'time ran out' || skipped !== undefined);
}

/** 0 for no difference but known ones; 1 for differences; 2 if too little is known; 4 for a target that cannot be asked. */
export function comparisonStatus(comparison: Comparison): 0 | 1 | 2 | 4 {
  const { unreachable, differences, unseen, interrupted, operations } = comparison;
  if (unreachable !== undefined) return 4;
  if (isUnsteady(comparison)) return 2;
  if (differences.some(({ known }) => known === undefined) || unseen.length > 0) return 1;
  const isCut = interrupted === true || endedEarly(comparison);
  const sawTooLittle = operations === 0 || neverAnswered(comparison).length > 0;
  return isCut || sawTooLittle ? 2 : 0;
}

/**
 * Where a difference is, whatever the operation: a status, a header, a key of a record or the form of
 * refusals, with what is there on each side.
 */
export function placeOf({ where, kinds }: Finding): string {
  const key = where.replace(/^(?:\[\]|stream|session)\.(?=.)/, '');
  return `${key} | ${kindsOf(where, kinds).join(' ≠ ')}`;
}

/** What names what is there on each side, without what varies from one request to the next. */
function kindsOf(where: string, kinds: Two<string>): readonly string[] {
  if (where === 'refusal') {
    // Codes differ between kinds of refusals.
    const text = /"((?:[^"\\]|\\.)*)"(:?)/g;
    const forms = kinds.map((form) =>
      form.replace(text, (name, _, colon) => (colon === '' ? '"…"' : name)),
    );
    return forms[0] === forms[1] ? kinds : forms;
  }
  if (!where.startsWith('header ') || where === 'header content-type') return kinds;
  // Values such as methods differ from path to path.
  return kinds.includes('absent')
    ? kinds.map((kind) => (kind === 'absent' ? kind : 'present'))
    : ['one', 'another'];
}

/** What stands in an entry that a report prints, until somebody writes a reason. */
export const reasonToWrite = 'write why it is accepted';

const entrySchema = z.strictObject(
  {
    // Its place, as a report names it.
    difference: z.string('a difference'),
    reason: z
      .string('a reason')
      .refine((text) => text !== reasonToWrite, `your own reason in place of "${reasonToWrite}"`),
    // The random sequence that shows it, which is run first; without one, it need not appear.
    seed: z.int().min(0).exactOptional(),
    sequence: z.int().min(0).exactOptional(),
  },
  'an object with only difference and reason, and perhaps seed and sequence',
);

/** A difference that is accepted: an entry of a file of known differences. */
export type KnownDifference = z.infer<typeof entrySchema>;

/** Reads a file of known differences. @throws TypeError, in one sentence, for another text */
export function parseKnown(text: string): readonly KnownDifference[] {
  const known = z.array(entrySchema, 'an array');
  const schema = z.strictObject({ known }, 'an object with only the key known');
  return parseReviewed(text, schema).known;
}
