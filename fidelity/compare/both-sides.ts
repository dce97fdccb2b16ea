import type { JsonObject } from '../../conformance/target/read-response.ts';
import type { TargetConnection } from '../target-connection.ts';

/** A value for each of the two sides. */
export type BothSides<Value> = readonly [Value, Value];

/** What a sequence is sent to. A target is the same for each sequence: its streams are deleted. */
export type Service = Pick<TargetConnection, 'target' | 'creations' | 'provider' | 'createCaller'>;

/** Does the same for both sides at once. If one side fails, it rejects once both have ended. */
export async function onBothSides<Value, Result>(
  values: BothSides<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<BothSides<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** A stream or session of the sequence. */
export interface CreatedRecord {
  readonly kind: 'stream' | 'session';
  /** Its id on each side; that of a session is unknown until a response shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** The record on each side when it was created. */
  readonly initial: BothSides<JsonObject>;
  /** The stream of a session. */
  readonly parent?: CreatedRecord;
  deleted: boolean;
  /** What ends its live session on each side; empty while it is not live. */
  readonly ends: (() => Promise<void>)[];
}

/** A sequence under way: where it runs, what it has created, and what corresponds on the two sides. */
export interface SequenceRun {
  readonly services: BothSides<Service>;
  /** In milliseconds since 1970, and in milliseconds. */
  readonly clock: { now(): number; pause(milliseconds: number): Promise<void> };
  /** Milliseconds for which to wait until recordings are ready. */
  readonly patience: number;
  /** Whether the second side is an archive, so that their timing means nothing. */
  readonly isReplay?: boolean;
  /** Lists that also contain records of others: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
  readonly records: CreatedRecord[];
  /** Values of each side, such as `0 streamKey abcd`, and their partners on the other side. */
  readonly partners: Map<string, string>;
  /** Pairs of times that stand for the same moment on the two sides. */
  readonly times: Map<string, BothSides<number>>;
}

/** Starts a run that has created nothing yet. */
export function startRun(setup: Omit<SequenceRun, 'records' | 'partners' | 'times'>): SequenceRun {
  return { ...setup, records: [], partners: new Map(), times: new Map() };
}

/** Whether two values of a kind stand for the same thing. Two that have no partner yet become partners. */
export function correspond({ partners }: SequenceRun, kind: string, left: string, right: string) {
  const first = `0 ${kind} ${left}`;
  const second = `1 ${kind} ${right}`;
  if (!partners.has(first) && !partners.has(second)) partners.set(first, second).set(second, first);
  return partners.get(first) === second;
}

/** Milliseconds within which the order of two times does not matter. */
const tolerance = 200;

/** Whether a pair of times is in the same order to all earlier pairs on both sides. */
export function inSameOrder({ times }: SequenceRun, left: number, right: number): boolean {
  times.set(`${left} ${right}`, [left, right]);
  return [...times.values()].every(([first, second]) => {
    const areClose = Math.min(Math.abs(left - first), Math.abs(right - second)) <= tolerance;
    return areClose || left < first === right < second;
  });
}
