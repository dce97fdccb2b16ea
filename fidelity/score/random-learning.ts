import { compareMock, learnMock } from './judged.ts';
import { randomDialect } from './random-dialect.ts';
import { describeUnexpectedOfMocks } from './unexpected.ts';

/**
 * Learns a mock with a random dialect, and compares it with a mock that has what was learned.
 * @returns a line for each difference, with the row of the dialect that it is about, if that is known; or
 * for each thing that kept the comparison from being complete
 */
export async function judgeRandomDialect(seed: string, operations: number): Promise<string[]> {
  const target = randomDialect(seed);
  const { dialect, rows } = await learnMock(target);
  const options = { dialect, operations, most: mostDifferences, explain: true };
  const comparison = await compareMock(target, options);
  if (comparison.differences.length === 0) {
    return describeUnexpectedOfMocks(comparison, operations).map((one) => `seed ${seed}: ${one}`);
  }
  return comparison.differences.map(({ signature, line, stated }) => {
    const row = line?.row ?? stated?.row;
    if (row === undefined) return `seed ${seed}: ${signature}`;
    const learned = JSON.stringify(dialect.rows[row]) ?? `not learned: ${rows[row]?.reason}`;
    return `seed ${seed}: ${signature}; ${row} is ${JSON.stringify(target.rows[row])}, ${learned}`;
  });
}

/** Differences that are shown of one dialect. */
const mostDifferences = 4;
