import { type RowId, rowIds } from '../../../interface/silent.ts';
import type { DescribedRequest } from '../run/describe-request.ts';
import type { Outcome } from '../run/run-sequence.ts';
import { rowsReached } from './rows-reached.ts';

/** How much a comparison has seen. */
export interface Coverage {
  /** What each side was asked for: requests, going live and stopping. */
  readonly operations: number;
  readonly sequences: number;
  /** How often each operation was sent. */
  readonly byOperation: Readonly<Record<string, number>>;
  /** How many different pairs of operations followed each other. */
  readonly pairs: number;
  /** How often each value that is not usual was sent, such as `profiles[].width: 0`. */
  readonly values: Readonly<Record<string, number>>;
  /** Rows of the table of silent behaviours that requests asked about, and all. */
  readonly rows: { readonly reached: number; readonly all: number };
}

/** Counts what sequences have seen. */
export interface CoverageCounter {
  note(outcome: Outcome): void;
  /** What each side was asked for so far. */
  operations(): number;
  read(): Coverage;
}

/** Kinds of requests that are remembered, so that the table is not asked again. */
const mostKinds = 10_000;

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function createCoverage(): CoverageCounter {
  const byOperation = new Map<string, number>();
  const values = new Map<string, number>();
  const pairs = new Set<string>();
  const kinds = new Set<string>();
  const rows = new Set<RowId>();
  let sequences = 0;
  let operations = 0;
  const noteRows = (described: DescribedRequest): void => {
    const text = JSON.stringify([described.operation, described.about]);
    if (kinds.has(text)) return;
    if (kinds.size < mostKinds) kinds.add(text);
    for (const row of rowsReached(described)) rows.add(row);
  };
  return {
    note({ steps }) {
      sequences += 1;
      const requests = steps.flatMap(({ responses, described }) =>
        responses === undefined || described === undefined ? [] : [described],
      );
      operations += steps.filter(({ isOperation }) => isOperation).length;
      for (const [index, described] of requests.entries()) {
        count(byOperation, described.operation);
        for (const words of described.about) count(values, words);
        noteRows(described);
        const next = requests[index + 1];
        if (next !== undefined) pairs.add(`${described.operation} ${next.operation}`);
      }
    },
    operations: () => operations,
    read: () => ({
      operations,
      sequences,
      byOperation: Object.fromEntries([...byOperation].sort()),
      pairs: pairs.size,
      values: Object.fromEntries([...values].sort()),
      rows: { reached: rows.size, all: rowIds.length },
    }),
  };
}
