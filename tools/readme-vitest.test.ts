import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { fencedBlocks } from './code-blocks.ts';
import { userFolder } from './user-folder.test-support.ts';
import { runSpec } from './vitest.test-support.ts';

test.each([
  { page: 'README.md', passed: [1] },
  // One of vitest alone, and one of the collections, beside the same test in plain HTTP.
  { page: 'docs/frontend.md', passed: [1, 2] },
])(
  'the recipes for vitest in $page pass',
  async ({ page, passed }) => {
    const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
    const recipes = fencedBlocks(text).filter(({ source }) =>
      source.includes("from 'livestream-mock/vitest'"),
    );
    const counts: number[] = [];
    for (const { source } of recipes) {
      const folder = userFolder(['@msw/data', 'msw', 'vitest'], 'recipe.spec.ts', source);
      const results = await runSpec(pathToFileURL(`${folder}/`), 'recipe.spec.ts');
      expect(results.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
      counts.push(results.filter(({ status }) => status === 'passed').length);
    }
    expect(counts).toEqual(passed);
  },
  60_000,
);
