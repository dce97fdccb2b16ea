import { createCoverage } from '../coverage/coverage.ts';
import type { FoundDifference, Line } from '../model/comparison.ts';
import { covers, hasSameCause, type Signature, signatureOf } from '../model/signature.ts';
import { creates } from '../run/note-change.ts';
import type { Difference, Outcome } from '../run/run-sequence.ts';
import type { Knowledge } from './explain.ts';

/** What the search has found so far. */
export interface State {
  readonly found: FoundDifference[];
  readonly unsteady: Signature[];
  /** Lines that explained a difference and, as a later one shows, are wrong. */
  readonly refuted: Line[];
  /** Differences that there was no time to see again. */
  unconfirmed: number;
  /** Milliseconds that the sequences of known differences took. */
  knownDuration: number;
  /** Signatures of known differences whose sequence was run and did not show them. */
  readonly gone: string[];
  /** Sequences that ended because a side did not respond, or made no session. */
  unknown: number;
  /** Requests without a response. */
  unanswered: number;
  /** Whether a creation had no response: it may have made a stream. */
  mayHaveCreated: boolean;
  /** Whether some request of an operation, with its own method, had a response from both sides. */
  readonly answered: Map<string, boolean>;
  /** Why: different reasons, a few of them. */
  readonly unknownReasons: Set<string>;
  timeRanOut: boolean;
  gaveUp: boolean;
  /** Whether the search ended because too many differences were not steady, or were found. */
  tooUnsteady: boolean;
  foundMost: boolean;
  /** Whether the sequence of a path could not be run to its end. */
  pathCutShort: boolean;
  readonly coverage: ReturnType<typeof createCoverage>;
}

export function createState(): State {
  return {
    found: [],
    unsteady: [],
    refuted: [],
    unconfirmed: 0,
    knownDuration: 0,
    gone: [],
    unknown: 0,
    unanswered: 0,
    mayHaveCreated: false,
    answered: new Map(),
    unknownReasons: new Set(),
    timeRanOut: false,
    gaveUp: false,
    tooUnsteady: false,
    foundMost: false,
    pathCutShort: false,
    coverage: createCoverage(),
  };
}

/** Reasons for missing responses that are kept. */
const mostReasons = 3;

/** Notes what a sequence has seen, or why it ended early. */
export function noteOutcome(outcome: Outcome, state: State): void {
  const { steps, unknown } = outcome;
  const reasons = steps.flatMap(({ unanswered }) => unanswered ?? []);
  for (const reason of unknown === undefined ? reasons : [...reasons, unknown]) {
    if (state.unknownReasons.size < mostReasons) state.unknownReasons.add(reason);
  }
  for (const step of steps) noteAnswer(step, state);
  if (unknown === undefined) state.coverage.note(outcome);
  else state.unknown += 1;
}

/** Counts a request without a response, and notes whether its operation ever had one. */
function noteAnswer(
  { unanswered, described, exchanges }: Outcome['steps'][number],
  state: State,
): void {
  if (described === undefined || exchanges[0].length === 0) return;
  const { operation, request } = described;
  if (unanswered !== undefined) {
    state.unanswered += 1;
    if (creates(request)) state.mayHaveCreated = true;
  }
  if (request.method !== undefined) return;
  const isAnswered = unanswered === undefined || state.answered.get(operation) === true;
  state.answered.set(operation, isAnswered);
}

/** What was found so far ends no further sequence, and the mock does as it says. */
export function knowledgeOf({ found, unsteady }: State): Knowledge {
  const known = [...found.map((one) => one.found), ...unsteady];
  // Where the mock has the line that explains a difference, another one has another cause.
  const unexplained = found.filter(({ line }) => line === undefined).map((one) => one.found);
  const isMasked = (difference: Difference): boolean => {
    const signature = signatureOf(difference);
    return (
      known.some((one) => covers(one, signature)) ||
      unexplained.some((one) => hasSameCause(one, signature))
    );
  };
  const lines = found.flatMap(({ line }) => line ?? []);
  return { isMasked, rows: Object.fromEntries(lines.map(({ row, value }) => [row, value])) };
}
