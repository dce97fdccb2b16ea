import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { fencedBlocks } from './code-blocks.ts';
import { runPlaywright } from './playwright.test-support.ts';
import { writePlaywrightSettings } from './playwright-settings.ts';
import { userFolder } from './user-folder.test-support.ts';

test.each(['README.md', 'docs/frontend.md'])(
  'the Playwright recipe in %s passes under Playwright',
  async (page) => {
    const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
    const recipes = fencedBlocks(text).filter(({ source }) =>
      source.includes("from 'livestream-mock/playwright'"),
    );
    expect(recipes).toHaveLength(1);
    const source = recipes[0]?.source ?? '';
    const folder = userFolder(['@playwright/test'], 'recipe.spec.ts', source);
    writePlaywrightSettings(folder, inject('programs').browser);
    expect(await runPlaywright(folder)).toMatchObject([{ passed: true, message: '' }]);
  },
  60_000,
);
