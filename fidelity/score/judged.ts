import type { Fetch } from '../../conformance/mutants/mutant.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import { createMock } from '../../mocks/mock.ts';
import { compare } from '../compare/compare.ts';
import type { Comparison } from '../compare/model/comparison.ts';
import type { CompareOptions } from '../compare/options.ts';
import { type Learned, learn } from '../learn/learn.ts';

/** A value of a row that is not its default. A mock with it differs from the usual mock in it alone. */
export interface Judged {
  readonly row: RowId;
  readonly value: unknown;
}

/** Every sample of every row. */
export const everyValue: readonly Judged[] = rowIds.flatMap((row) =>
  rowOf(row).samples.map((value) => ({ row, value })),
);

/** The dialect in which one row alone is not the default. */
export function dialectOf({ row, value }: Judged): Dialect {
  return { format: 'livestream-mock/dialect', version: 1, rows: { [row]: value } };
}

/** Changes what a mock does. */
export type Change = (send: Fetch) => Fetch;

/** What both tools need of a mock in this process, whose clock moves only where something waits. */
function startMock(dialect: Dialect | undefined, change: Change) {
  let time = Date.UTC(2027, 0, 15);
  const now = (): number => time;
  const mock = createMock({ now, ...(dialect && { dialect }) });
  return {
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey: mock.apiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    send: change(mock.fetch),
    now,
    pause: async (milliseconds: number): Promise<void> => {
      time += milliseconds;
    },
    // Nobody needs the mock any more.
    cleanUpSignal: AbortSignal.abort(),
  };
}

const unchanged: Change = (send) => send;

/** A second key of the mock: it has a world for each. */
const otherApiKey = 'test-other';

/** Learns a new mock. */
export function learnMock(dialect?: Dialect, change: Change = unchanged): Promise<Learned> {
  return learn({ ...startMock(dialect, change), otherApiKey });
}

/** Compares a new mock, as the target, with the usual one or with one of the dialect in the options. */
export function compareMock(
  target: Dialect | undefined,
  options: Pick<
    CompareOptions,
    'dialect' | 'operations' | 'most' | 'seed' | 'leaveOut' | 'signal' | 'explain'
  >,
  change: Change = unchanged,
): Promise<Comparison> {
  const time = Number.POSITIVE_INFINITY;
  return compare({ ...startMock(target, change), otherApiKey, time, ...options });
}
