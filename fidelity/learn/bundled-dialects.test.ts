import { expect, test } from 'vitest';
import { bundledDialects } from '../../interface/dialect/bundled-dialects.ts';
import { isMasked, positions } from '../../interface/dialect/matrix.ts';
import { resolveDialect } from '../../interface/dialect/resolve.ts';
import { cellName, differences } from '../../interface/dialect/statements.ts';
import { mockToLearn } from './learn.test-support.ts';
import { learn } from './learn.ts';

const cases = Object.entries(bundledDialects);

test.each(cases)('the mock with %s is learned as that dialect', async (_, dialect) => {
  const { dialect: __, ...parts } = dialect;
  // Like `serve`, it has a world for each key.
  const { dialect: learned } = await learn(mockToLearn(parts, {}));
  const { cells } = resolveDialect(dialect);
  const hidden = positions
    .filter(({ endpoint, error }) => isMasked(endpoint, error.id, (of, id) => cells[of][id]))
    .map(({ endpoint, error }) => cellName(endpoint, error.id));
  const shown = differences(learned, dialect).filter((name) => !hidden.includes(name));
  expect(shown).toEqual([]);
});
