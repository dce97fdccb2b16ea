import { describe, expect, test } from 'vitest';
import { runAgainst } from '../../conformance/run-against.test-support.ts';
import { breachesOf } from '../../interface/dialect/breaches.ts';
import { type Dialect, dialectSchema } from '../../interface/dialect/dialect.ts';
import { createMock } from '../../mocks/mock.ts';
import { against, apiKey } from '../compare/against.test-support.ts';
import { compare } from '../compare/compare.ts';
import { coveringDialects, learnAgain } from './covering.test-support.ts';
import { keys } from './learn.test-support.ts';

const dialects = coveringDialects('covering', 16).map((dialect, index) => ({ index, dialect }));

describe('the mock with a dialect', () => {
  test.each(dialects)('$index is learned as that dialect', async ({ dialect }) => {
    expect(dialectSchema.parse(dialect)).toEqual(dialect);
    const { learned, expected, open } = await learnAgain(dialect);
    expect(open).toEqual([]);
    expect(learned).toEqual(expected);
  });

  test.each(dialects)('$index differs from itself in nothing', async ({ dialect }) => {
    // If the dialect accepts a wrong key, it leads to the world of this one.
    const target = against(undefined, { dialect, apiKeys: [apiKey] });
    const { operations, differences } = await compare({ ...target, dialect, operations: 150 });
    expect(differences).toEqual([]);
    expect(operations).toBeGreaterThan(100);
  });

  test.each(dialects)('$index fails no requirement but those that it says', async ({ dialect }) => {
    const allowed = new Set(breachesOf(dialect).flatMap(({ requirements }) => requirements));
    expect((await failuresOf(dialect)).filter((id) => !allowed.has(id))).toEqual([]);
  });
});

/** The requirements of level must that a mock with a dialect fails. */
async function failuresOf(dialect: Dialect): Promise<string[]> {
  const [key] = keys;
  // The suite waits for a recording in real time.
  const behaviours = { ...dialect.behaviours, 'time.ready': 0, 'time.listed': 0 };
  const mock = createMock({ dialect: { ...dialect, behaviours }, apiKeys: keys, now: Date.now });
  const { results } = await runAgainst(mock.fetch, { apiKey: key, patience: 500, level: 'must' });
  return results.flatMap(({ id, outcome }) => (outcome === 'fail' ? id : []));
}
