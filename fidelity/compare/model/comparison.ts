import type { RowId } from '../../../interface/silent.ts';
import type { Coverage } from '../coverage/coverage.ts';
import type { KnownDifference } from './known.ts';
import type { Signature } from './signature.ts';
import type { Transcript } from './transcript.ts';

/** A row of the table with a value: a line of a dialect. */
export interface Line {
  readonly row: RowId;
  readonly value: unknown;
}

/** A line that a dialect has, and another value that fits what the target did. */
export interface StatedLine extends Line {
  readonly fits: unknown;
}

/** What is done with a difference after it was confirmed. */
export type Unfinished = 'shortened' | 'explained';

/** A difference between the two sides, with the shortest sequence that shows it. */
export interface FoundDifference {
  /** One line that names it, in a file of known differences too. */
  readonly signature: string;
  readonly found: Signature;
  /** What is there on each side, as exactly as it is known. */
  readonly words: readonly [string, string];
  readonly seed: number;
  /** The sequence and the moves in it that show the difference again, for `--path`. */
  readonly path: string;
  readonly transcript: Transcript;
  /** The line of a dialect with which the mock does the same, if there is one. */
  readonly line?: Line;
  /** Lines with which it does the same too: the sequence does not tell them apart. */
  readonly others?: readonly Line[];
  /** The line that the dialect has, and the value of its row with which the mock does the same here. */
  readonly stated?: StatedLine;
  /** Lines that other differences named before, which the mock already had in this sequence. */
  readonly applied?: readonly Line[];
  /** What there was no time for. */
  readonly unfinished?: readonly Unfinished[];
  /** Why it is accepted, if it is a known one. */
  readonly known?: string;
  /** The entry for a file of known differences, if it is a new one. */
  readonly entry?: KnownDifference;
}

/** What a comparison of two services found. */
export interface Comparison {
  readonly format: 'livestream-mock/comparison';
  readonly version: 1;
  /** The version of `livestream-mock` that compared. */
  readonly tool: string;
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** What is compared: the first is the target. */
  readonly sides: readonly [string, string];
  /** The base address of each, or the dialect of the mock. */
  readonly compared: readonly [string, string];
  readonly seed: number;
  /** The most telling first. */
  readonly differences: readonly FoundDifference[];
  /** Known differences that no longer appear: their sequences were run and did not show them. */
  readonly unseen: readonly string[];
  /** Known differences whose sequences had no result: no time, no response, or not the same twice. */
  readonly notReached: readonly string[];
  /** Differences that did not appear a second time, or in which a side differs from itself. */
  readonly unsteady: number;
  /** Milliseconds that the sequences of known differences took, which are run first. */
  readonly knownDuration: number;
  /** Differences that there was no time to see again. */
  readonly unconfirmed: number;
  /** Sequences that ended because a side did not respond, or made no session. */
  readonly unknown: number;
  /** Requests without a response: whether they changed something is open until a read decides. */
  readonly unanswered: number;
  /** Operations of which no request had a response from both sides. */
  readonly neverAnswered: readonly string[];
  /** Why: different reasons, a few of them. */
  readonly unknownReasons: readonly string[];
  /** Whether the search ended because its time was over. */
  readonly timeRanOut: boolean;
  /** Whether the search ended because a side no longer responded. */
  readonly gaveUp: boolean;
  /** Whether it ended because too many differences were not steady. */
  readonly tooUnsteady: boolean;
  /** Whether it ended because it had found as many differences as it was to find. */
  readonly foundMost: boolean;
  /** Whether the sequence of the given path ended before its last step. */
  readonly pathCutShort: boolean;
  /** Whether both sides had a source of sessions. */
  readonly withSessions: boolean;
  readonly coverage: Coverage;
  /** Why the target cannot be compared at all. */
  readonly unreachable?: string;
  /** Why there are no sessions as the options say; then nothing was compared either. */
  readonly withoutSessions?: string;
  readonly interrupted?: true;
  /** What remains on the targets. */
  readonly leftBehind: readonly string[];
}

/** Whether a search ended before its time, whatever was left to be sent. */
export function endedEarly({ gaveUp, tooUnsteady, foundMost }: Comparison): boolean {
  return gaveUp || tooUnsteady || foundMost;
}

/** 0 for no difference but known ones; 1 for differences; 2 if too little is known; 4 for a target that cannot be asked. */
export function exitStatus(comparison: Comparison): 0 | 1 | 2 | 4 {
  const { unreachable, differences, unseen, coverage, unconfirmed } = comparison;
  if (unreachable !== undefined) return 4;
  if (differences.some(({ known }) => known === undefined) || unseen.length > 0) return 1;
  const { interrupted, pathCutShort, notReached, neverAnswered } = comparison;
  const isCut =
    interrupted ||
    endedEarly(comparison) ||
    pathCutShort ||
    unconfirmed > 0 ||
    notReached.length + neverAnswered.length > 0;
  return coverage.operations === 0 || isCut ? 2 : 0;
}
