import { isDeepStrictEqual } from 'node:util';
import { authenticationMutants } from '../../conformance/mutants/authentication.ts';
import { breakFetch, mutants } from '../../conformance/mutants/break-fetch.ts';
import { createMutants } from '../../conformance/mutants/create.ts';
import { listMutants } from '../../conformance/mutants/list.ts';
import { recordMutants } from '../../conformance/mutants/record.ts';
import { rowIds } from '../../interface/silent.ts';
import type { Learned } from '../learn/learn.ts';
import { compareMock, learnMock } from './judged.ts';
import { trueOfMutants, unlearnable } from './true-of-mutants.ts';

/** Mutants that `compare` must show: the bytes of media are left to `check`. */
export const shownMutants: readonly string[] = Object.keys({
  ...createMutants,
  ...recordMutants,
  ...listMutants,
  ...authenticationMutants,
});

/** Every mutant. */
export const everyMutant: readonly string[] = Object.keys(mutants);

/** Rows that a mutant may keep `learn` from writing: about a quarter of them. */
const mostLacking = 60;

/**
 * Learns a mutant.
 * @returns what is wrong, a line for each thing: a row with a value that is neither the mock's nor the
 * mutant's, a row of {@link trueOfMutants} without its value, other breaks, or too many rows without a value
 */
export async function judgeLearnedMutant(name: string, usual: Learned): Promise<string[]> {
  const { dialect } = await learnMock(undefined, (send) => breakFetch(name, send));
  const { rows: legal = [], breaks } = trueOfMutants[name] ?? {};
  const wrong = rowIds.filter((id) => {
    const value = dialect.rows[id];
    const isOther = value !== undefined && !isDeepStrictEqual(value, usual.dialect.rows[id]);
    return isOther !== legal.includes(id);
  });
  const lacking = rowIds.filter((id) => !(id in dialect.rows)).length;
  return [
    ...wrong.map((id) => `${id} ${JSON.stringify(dialect.rows[id])}`),
    ...(isDeepStrictEqual(dialect.breaks, breaks)
      ? []
      : [`breaks ${JSON.stringify(dialect.breaks)}`]),
    ...(lacking > mostLacking && !(name in unlearnable)
      ? [`${lacking} rows were not learned`]
      : []),
  ];
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
