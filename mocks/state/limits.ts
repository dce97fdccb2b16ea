import { Problem } from '../messages/problem.ts';

/** How many records all worlds of a mock hold together. The limit stops a runaway test before memory runs out. */
export interface RecordCount {
  /** The streams and sessions of each world, including those in its snapshots. */
  readonly counts: Set<() => number>;
  readonly maxRecords: number;
}

/** API keys that may be in use at once. */
export const maxWorlds = 1_000;

/** Default limit of the streams and sessions of all API keys. */
export const usualRecords = 400_000;

/** The refusal of one more than there may be; `advice` says how to get room. */
export function tooMany(path: string, expected: string, advice: string): Problem {
  return new Problem('full', { path, expected, got: 'another', advice });
}

/** Largest exported state that is imported, unless another limit is given: 64 MB. */
export const usualImport: number = 64 * 1024 * 1024;

/** Highest limit: a map of the JavaScript engine holds no more. */
export const largestRecords = 16_000_000;

/**
 * Refuses more streams and sessions than a mock has room for.
 * @throws Problem 429
 */
export function refuseRecords({ counts, maxRecords }: RecordCount, more: number): void {
  if (more <= 0) return;
  let records = 0;
  for (const count of counts) records += count();
  if (records + more <= maxRecords) return;
  const expected = `at most ${maxRecords} streams and sessions in one mock, snapshots counted`;
  const advice =
    'delete some, or a snapshot, or reset a world, or allow more (maxRecords, serve --max-records)';
  throw new Problem('full', { path: 'records', expected, got: records + more, advice });
}

/** Most bytes of a record, so that its line of an exported state has room for the rest of the line. */
const longestRecord = 1_000_000;

/**
 * Refuses a record that would not fit into a line of an exported state.
 * @throws Problem 413
 */
export function refuseLongRecord(record: object): void {
  const json = JSON.stringify(record);
  // A character takes at most three bytes.
  if (3 * json.length <= longestRecord) return;
  if (new TextEncoder().encode(json).length <= longestRecord) return;
  const expected = `at most ${longestRecord} bytes in a record, which is one line of a state`;
  throw new Problem('too-large', { path: 'body', expected, got: 'more' });
}
