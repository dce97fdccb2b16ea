// Not in test:quick: it learns a mock and runs the whole suite for each dialect.
import { describe, expect, test } from 'vitest';
import { run } from '../../conformance/run.ts';
import { breachesOf, type Dialect, dialectSchema } from '../../interface/dialect.ts';
import { createMock } from '../../mocks/mock.ts';
import { coveringDialects, expectedFrom } from './covering.test-support.ts';
import { keys, mockToLearn } from './learn.test-support.ts';
import { learn, toDialect } from './learn.ts';

const dialects = coveringDialects('covering', 16).map((dialect, index) => ({ index, dialect }));

/** What shows only where something else is as usual. */
const dependent =
  /^(orders\.told|refusals\.\w+\.body:(bytes|deep)|behaviours\.(auth\.challenge|http\.retry-after|profiles\.of-session|list\.(page-size|record|next|cursor|full-last-page)|sessions\.(status|addresses)-before-ready))$/;

describe('the mock with a dialect', () => {
  test.each(dialects)('$index is learned as that dialect', async ({ dialect }) => {
    expect(dialectSchema.parse(dialect)).toEqual(dialect);
    const { dialect: _, ...parts } = dialect;
    const learned = await learn(mockToLearn(parts));
    const open = [...learned.observed].filter(
      ([name, { outcome }]) => outcome !== 'observed' && !dependent.test(name),
    );
    expect(open.map(([name, one]) => `${name}: ${'reason' in one && one.reason}`)).toEqual([]);
    expect(learned.dialect).toEqual(toDialect(expectedFrom(dialect, learned.observed)));
  });

  test.each(dialects)('$index fails no requirement but those that it says', async ({ dialect }) => {
    const allowed = new Set(breachesOf(dialect).flatMap(({ requirements }) => requirements));
    expect((await failuresOf(dialect)).filter((id) => !allowed.has(id))).toEqual([]);
  });
});

/** The requirements of level must that a mock with a dialect fails. */
async function failuresOf(dialect: Dialect): Promise<string[]> {
  const [apiKey] = keys;
  // The suite waits for a recording in real time.
  const behaviours = { ...dialect.behaviours, 'time.ready': 0, 'time.listed': 0 };
  const mock = createMock({ dialect: { ...dialect, behaviours }, apiKeys: keys, now: Date.now });
  const { results } = await run({
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    send: mock.fetch,
    patience: 500,
    level: 'must',
  });
  return results.flatMap(({ id, outcome }) => (outcome === 'fail' ? id : []));
}
