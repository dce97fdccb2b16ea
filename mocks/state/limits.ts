import { Problem } from '../messages/problem.ts';

/** Counts the records of all worlds of a mock. The limit stops a runaway test before memory runs out. */
export interface RecordCount {
  /** The streams and sessions of each world, including those in its snapshots. */
  readonly counts: Set<() => number>;
  readonly maxRecords: number;
  /** Makes room for more records, if it can. Returns whether it has made some. */
  makeRoom?: () => boolean;
}

/** The longest session, in seconds. Later media is dropped. */
export const longestSession = 31 * 24 * 3600;

/** Maximum number of API keys in use at once. */
export const maxWorlds = 1_000;

/** Of how many deleted streams without sessions a world still knows the ids. */
export const maxDeleted = 1_000;

/** Maximum number of streams and sessions of all API keys, unless another limit is given. */
export const defaultMaxRecords = 400_000;

/** The problem of a limit that is reached; `advice` says how to make room. */
export function tooMany(path: string, expected: string, advice: string): Problem {
  return new Problem('full', { path, expected, got: 'one more', advice });
}

/** Maximum size of an exported state to import, in bytes, unless another limit is given: 64 MiB. */
export const defaultMaxImport: number = 64 * 1024 * 1024;

/** The highest limit: a `Map` cannot hold more entries. */
export const largestRecords = 16_000_000;

/** The number of streams and sessions of all worlds, including those in snapshots. */
export function countRecords({ counts }: RecordCount): number {
  let records = 0;
  for (const count of counts) records += count();
  return records;
}

/**
 * Refuses more streams and sessions than a mock has room for.
 * @throws Problem 429 if there are more.
 */
export function refuseRecords(recordCount: RecordCount, more: number): void {
  if (more <= 0) return;
  const { maxRecords } = recordCount;
  let records = countRecords(recordCount);
  while (records + more > maxRecords && recordCount.makeRoom?.()) {
    records = countRecords(recordCount);
  }
  if (records + more <= maxRecords) return;
  const expected = `at most ${maxRecords} streams and sessions in one mock, including snapshots`;
  const advice =
    'delete some, or a snapshot, or reset a world, or allow more (maxRecords, serve --max-records)';
  throw new Problem('full', { path: 'records', expected, got: records + more, advice });
}

/** Maximum size of a record, in bytes, which leaves room for the rest of its line in an exported state. */
const longestRecord = 4_000_000;

/**
 * Refuses a record that would not fit into a line of an exported state.
 * @throws Problem 413 if it is too long.
 */
export function refuseLongRecord(record: object): void {
  const json = JSON.stringify(record);
  // A character takes at most three bytes.
  if (3 * json.length <= longestRecord) return;
  if (new TextEncoder().encode(json).length <= longestRecord) return;
  const expected = `at most ${longestRecord} bytes in a record, which is one line of a state`;
  throw new Problem('too-large', { path: 'body', expected, got: 'more' });
}
