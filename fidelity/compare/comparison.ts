import { version } from '../../package.json' with { type: 'json' };
import type { Evidence } from '../../target/requests/evidence.ts';
import type { BothSides } from './both-sides.ts';
import type { Finding } from './equality.ts';

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
  /** The entry of the mock's dialect that has changed, such as `errors.createStream.key:none`. */
  entry?: string;
  /** Why it is accepted, if it is a known one. */
  known?: string;
}

/** Why a random search usually ends; an archive must be sent whole. */
export const outOfTime = 'time ran out';

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
    /** How many sessions were not made, because the run had made as many as it may. */
    missingSessions: 0,
    /** Why a search ended before its last operation. */
    end: undefined as string | undefined,
    /** How many requests of an archive were not sent, by reason; `undefined` without an archive. */
    skipped: undefined as Record<string, number> | undefined,
    /** Why the target cannot be compared at all. */
    unjudgeable: undefined as string | undefined,
    /** Why the provider of sessions does not work; nothing is compared then, either. */
    providerFailure: undefined as string | undefined,
    interrupted: false,
    /** What is left on the targets. */
    leftBehind: [] as readonly string[],
  };
}

/**
 * Names a difference, without the operation: a status, a header, a key of an item or the form of refusals,
 * with what is there on each side.
 */
export function nameOfDifference({ where, kinds }: Finding): string {
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

/** The form of a refusal without its codes, which differ between kinds of refusals. A form without keys has none. */
function withoutCodes(form: string): string {
  return JSON.stringify(JSON.parse(form), (key, value) =>
    key !== '' && typeof value === 'string' ? '…' : value,
  );
}

/** The difference with a name, if it was found. */
export function differenceNamed({ differences }: Comparison, name: string): Difference | undefined {
  return differences.find((difference) => difference.name === name);
}
