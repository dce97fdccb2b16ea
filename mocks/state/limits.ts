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

/**
 * Refuses more API keys than a mock accepts.
 * @throws Problem 429
 */
export function refuseWorlds(count: number): void {
  if (count <= maxWorlds) return;
  throw new Problem('full', {
    path: 'worlds',
    expected: `at most ${maxWorlds} in one mock`,
    got: 'another API key',
    advice: 'use fewer keys, or a mock of its own for each run',
  });
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
  throw new Problem('full', {
    path: 'records',
    expected: `at most ${maxRecords} streams and sessions in one mock, snapshots counted`,
    got: records + more,
    advice:
      'delete some, or a snapshot, or reset a world, or allow more (maxRecords, serve --max-records)',
  });
}

/** Most bytes of a record, so that its line of an exported state has room for what stands beside it. */
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
