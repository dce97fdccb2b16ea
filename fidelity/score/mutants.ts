import { isDeepStrictEqual } from 'node:util';
import { authenticationMutants } from '../../conformance/mutants/authentication.ts';
import { breakFetch, mutants } from '../../conformance/mutants/break-fetch.ts';
import { createMutants } from '../../conformance/mutants/create.ts';
import { listMutants } from '../../conformance/mutants/list.ts';
import { recordMutants } from '../../conformance/mutants/record.ts';
import { rowIds } from '../../interface/silent.ts';
import type { Learned } from '../learn/learn.ts';
import { compareMock, learnMock } from './judged.ts';
import { trueOfMutants } from './true-of-mutants.ts';

/** Mutants that `compare` must show: the bytes of media are left to `check`. */
export const shownMutants: readonly string[] = Object.keys({
  ...createMutants,
  ...recordMutants,
  ...listMutants,
  ...authenticationMutants,
});

/** Every mutant. */
export const everyMutant: readonly string[] = Object.keys(mutants);

/**
 * What was learned of a mutant and is so neither of it nor of the mock, and what is said to be so of it
 * and was not learned: a line for each row.
 */
export async function judgeLearnedMutant(name: string, usual: Learned): Promise<string[]> {
  const { dialect } = await learnMock(undefined, (send) => breakFetch(name, send));
  const legal = trueOfMutants[name]?.rows ?? [];
  return rowIds
    .filter((id) => {
      const value = dialect.rows[id];
      const isOther = value !== undefined && !isDeepStrictEqual(value, usual.dialect.rows[id]);
      return isOther !== legal.includes(id);
    })
    .map((id) => `${id} ${JSON.stringify(dialect.rows[id])}`);
}

/** Operations within which a mutant must be shown: some break what is rarely asked. */
const mutantsWithin = 10_000;

/** Whether `compare` shows that a mutant is not the mock. */
export async function showsMutant(name: string): Promise<boolean> {
  const { differences } = await compareMock(
    undefined,
    { operations: mutantsWithin, most: 1, explain: false },
    (send) => breakFetch(name, send),
  );
  return differences.length > 0;
}
