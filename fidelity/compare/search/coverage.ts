import type { Outcome } from '../run/run-sequence.ts';

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
}

/** Counts what sequences have seen. */
export interface CoverageCounter {
  note(outcome: Outcome): void;
  read(): Coverage;
}

export function createCoverage(): CoverageCounter {
  const byOperation = new Map<string, number>();
  const values = new Map<string, number>();
  const pairs = new Set<string>();
  let sequences = 0;
  const count = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    note({ steps }) {
      sequences += 1;
      const requests = steps.flatMap(({ responses, subject }) =>
        responses === undefined || subject === undefined ? [] : [subject],
      );
      for (const [index, { operation, about }] of requests.entries()) {
        count(byOperation, operation);
        for (const words of about) count(values, words);
        const next = requests[index + 1];
        if (next !== undefined) pairs.add(`${operation} ${next.operation}`);
      }
    },
    read: () => ({
      operations: [...byOperation.values()].reduce((sum, number) => sum + number, 0),
      sequences,
      byOperation: Object.fromEntries([...byOperation].sort()),
      pairs: pairs.size,
      values: Object.fromEntries([...values].sort()),
    }),
  };
}
