// Not in test:quick: it runs thousands of requests. The tests of learning learn every value.
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../fixtures/random.ts';
import type { Signature } from '../compare/model/signature.ts';
import type { Learned } from '../learn/learn.ts';
import { foundWithin } from './comparing.ts';
import { compareMock, dialectOf, everyValue, learnMock } from './judged.ts';
import { everyMutant, judgeLearnedMutant, shownMutants, showsMutant } from './mutants.ts';
import { saboteurs } from './saboteurs.ts';
import { mergeScores } from './score.ts';
import { trueOfMutants, unlearnable } from './true-of-mutants.ts';

let usual: Learned;
beforeAll(async () => {
  usual = await learnMock();
});

/** Some items, the same for the same seed. */
function sampleOf<Item>(items: readonly Item[], count: number, seed: string): Item[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => items[random.integer(0, items.length - 1)] as Item);
}

describe('a mock that differs in one value', () => {
  test.each(sampleOf(everyValue, 5, 'compared'))(
    'is told apart from the usual one, and not from one that does the same: $row $value',
    async (judged) => {
      const target = dialectOf(judged);
      const { differences } = await compareMock(target, { operations: foundWithin, most: 1 });
      expect(differences).toHaveLength(1);
      const same = await compareMock(target, { dialect: target, operations: 300 });
      expect(same.differences.map(({ signature }) => signature)).toEqual([]);
      expect(same.unsteady).toBe(0);
    },
    120_000,
  );
});

describe('the score is lower', () => {
  const [judged] = everyValue.filter(({ row }) => row === 'retrieve.stream');
  let found: Signature | undefined;
  beforeAll(async () => {
    const options = { operations: foundWithin, most: 1 };
    found = (await compareMock(judged && dialectOf(judged), options)).differences[0]?.found;
  });

  test.each(Object.keys(saboteurs))(
    'with the saboteur "%s"',
    async (name) => {
      expect(judged && found && (await saboteurs[name]?.({ judged, usual, found }))).toBe(true);
    },
    120_000,
  );
});

describe('a mutant of the suite', () => {
  test.each(sampleOf(shownMutants, 2, 'mutants'))(
    '%s is shown',
    async (name) => {
      expect(await showsMutant(name)).toBe(true);
    },
    120_000,
  );
});

describe('of a mutant of the suite is learned what is so of the mock, or nothing', () => {
  test.each([...sampleOf(everyMutant, 6, 'learned'), 'list-shows-newest-only'])(
    '%s',
    async (name) => {
      expect(await judgeLearnedMutant(name, usual)).toEqual([]);
    },
    120_000,
  );
});

test('what is said of a mutant is said of one that there is', () => {
  const named = [...Object.keys(trueOfMutants), ...Object.keys(unlearnable)];
  expect(everyMutant).toEqual(expect.arrayContaining(named));
});

test('scores of several parts add up', () => {
  const one = { family: 'list', counts: { found: { right: 1, of: 1 } }, gaps: [] };
  const other = { family: 'list', counts: { found: { right: 0, of: 2 } }, gaps: ['a', 'b'] };
  expect(mergeScores([one, other])).toEqual({
    family: 'list',
    counts: { found: { right: 1, of: 3 } },
    gaps: ['a', 'b'],
  });
});
