import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { fencedBlocks } from './code-blocks.ts';
import { userFolder } from './user-folder.test-support.ts';
import { runSpec } from './vitest.test-support.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Two recipes: one of vitest alone, and one of the collections, beside the same test in plain HTTP. */
test('the recipes for vitest and for collections in the README pass under vitest', async () => {
  const recipes = fencedBlocks(readme).filter(({ source }) =>
    source.includes("from 'livestream-mock/vitest'"),
  );
  const passed: number[] = [];
  for (const { source } of recipes) {
    const folder = userFolder(['@msw/data', 'msw', 'vitest'], 'recipe.spec.ts', source);
    const results = await runSpec(pathToFileURL(`${folder}/`), 'recipe.spec.ts');
    expect(results.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
    passed.push(results.filter(({ status }) => status === 'passed').length);
  }
  expect(passed).toEqual([1, 2]);
}, 60_000);
