import { type RowId, rowIds } from '../../../interface/silent.ts';
import type { Outcome } from '../run/run-sequence.ts';
import type { Subject } from '../run/subject.ts';
import { rowsReached } from './reached.ts';

/** How much a comparison has seen. */
export interface Coverage {
  /** Requests to each side. */
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
  read(): Coverage;
}

/** Kinds of requests that are remembered, so that the table is not asked again. */
const mostSubjects = 10_000;

export function createCoverage(): CoverageCounter {
  const byOperation = new Map<string, number>();
  const values = new Map<string, number>();
  const pairs = new Set<string>();
  const subjects = new Set<string>();
  const rows = new Set<RowId>();
  let sequences = 0;
  const count = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const noteRows = (subject: Subject): void => {
    const text = JSON.stringify([subject.operation, subject.about]);
    if (subjects.has(text)) return;
    if (subjects.size < mostSubjects) subjects.add(text);
    for (const row of rowsReached(subject)) rows.add(row);
  };
  return {
    note({ steps }) {
      sequences += 1;
      const requests = steps.flatMap(({ responses, subject }) =>
        responses === undefined || subject === undefined ? [] : [subject],
      );
      for (const [index, subject] of requests.entries()) {
        count(byOperation, subject.operation);
        for (const words of subject.about) count(values, words);
        noteRows(subject);
        const next = requests[index + 1];
        if (next !== undefined) pairs.add(`${subject.operation} ${next.operation}`);
      }
    },
    read: () => ({
      operations: [...byOperation.values()].reduce((sum, number) => sum + number, 0),
      sequences,
      byOperation: Object.fromEntries([...byOperation].sort()),
      pairs: pairs.size,
      values: Object.fromEntries([...values].sort()),
      rows: { reached: rows.size, all: rowIds.length },
    }),
  };
}
