import { readId } from '../../conformance/target/operations.ts';
import type { Difference, End } from './comparison.ts';
import { creates } from './run/changes.ts';
import type { Outcome, Step } from './run/run-sequence.ts';

/** What the search has found so far. */
export interface Found {
  /** By place. */
  readonly differences: Map<string, Counted>;
  /** Kinds of requests that showed a difference which did not come again, each with its operation. */
  readonly unsteady: Map<string, string>;
  unconfirmed: number;
  operations: number;
  sequences: number;
  readonly byOperation: Map<string, number>;
  /** Whether some request of an operation, with its own method, had a usable response from both sides. */
  readonly answered: Map<string, boolean>;
  hasCreated: boolean;
  unanswered: number;
  readonly unknownReasons: Set<string>;
  /** Known differences whose sequence was run to its end. */
  readonly tried: Set<string>;
  end?: End;
  /** Requests of an archive that were not sent, by why. */
  readonly skipped: Map<string, number>;
}

/** A difference while it is counted. */
type Counted = Omit<Difference, 'times' | 'requests' | 'known'> & {
  readonly operation: string;
  times: number;
  readonly requests: Map<string, number>;
};

export function nothingFound(): Found {
  return {
    differences: new Map(),
    unsteady: new Map(),
    unconfirmed: 0,
    operations: 0,
    sequences: 0,
    byOperation: new Map(),
    answered: new Map(),
    hasCreated: false,
    unanswered: 0,
    unknownReasons: new Set(),
    tried: new Set(),
    skipped: new Map(),
  };
}

/** Reasons for missing responses that are kept. */
const mostReasons = 3;
/** Kinds of requests that are counted of one difference. */
const mostKinds = 1_000;

/** Counts what a sequence has seen, or why it ended early. */
export function noteOutcome({ steps, unknown }: Outcome, found: Found): void {
  found.sequences += 1;
  found.operations += steps.filter(({ isOperation }) => isOperation).length;
  const reasons = steps.flatMap(({ unanswered }) => unanswered ?? []);
  for (const reason of unknown === undefined ? reasons : [...reasons, unknown]) {
    if (found.unknownReasons.size < mostReasons) found.unknownReasons.add(reason);
  }
  for (const step of steps) noteAnswer(step, found);
}

/** Counts a request, and notes whether its operation ever had a usable response. */
function noteAnswer({ request, exchanges, responses, unanswered }: Step, found: Found): void {
  if (request === undefined || exchanges[0].length === 0) return;
  const { operation, method } = request;
  add(found.byOperation, operation);
  if (unanswered !== undefined) found.unanswered += 1;
  found.hasCreated ||= creates(request) && responses?.every(readId) === true;
  if (method !== undefined) return;
  const isAnswered = responses?.every(({ status }) => status === 501 || status <= 499) === true;
  found.answered.set(operation, isAnswered || found.answered.get(operation) === true);
}

/** Counts one more of a kind. */
export function add(counts: Map<string, number>, key: string): void {
  if (counts.has(key) || counts.size < mostKinds) counts.set(key, (counts.get(key) ?? 0) + 1);
}
