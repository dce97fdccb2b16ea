import { compareMock, learnMock } from './judged.ts';
import { randomDialect } from './random-dialect.ts';

/**
 * Learns a mock with a random dialect, and compares it with a mock that has what was learned.
 * @returns a line for each difference, with the row of the dialect that it is about, if that is known
 */
export async function judgeRandomDialect(seed: string, operations: number): Promise<string[]> {
  const target = randomDialect(seed);
  const { dialect, rows } = await learnMock(target);
  const options = { dialect, operations, most: mostDifferences, explain: true };
  const { differences } = await compareMock(target, options);
  return differences.map(({ signature, line, stated }) => {
    const row = line?.row ?? stated?.row;
    if (row === undefined) return `seed ${seed}: ${signature}`;
    const learned = JSON.stringify(dialect.rows[row]) ?? `not learned: ${rows[row]?.reason}`;
    return `seed ${seed}: ${signature}; ${row} is ${JSON.stringify(target.rows[row])}, ${learned}`;
  });
}

/** Differences that are shown of one dialect. */
const mostDifferences = 4;
