import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { fencedBlocks } from './code-blocks.ts';
import { runPlaywright } from './playwright.test-support.ts';
import { writePlaywrightSettings } from './playwright-settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the Playwright recipe in the README passes under Playwright', async () => {
  const recipes = fencedBlocks(readFileSync(join(root, 'README.md'), 'utf8')).filter(({ source }) =>
    source.includes("from 'livestream-mock/playwright'"),
  );
  expect(recipes).toHaveLength(1);
  const folder = projectWith(recipes.map(({ source }) => source).join('\n'));
  expect(await runPlaywright(folder)).toMatchObject([{ passed: true, message: '' }]);
}, 60_000);

/** The folder of a user who has the package and Playwright, and one spec. */
function projectWith(spec: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'recipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'livestream-mock'), 'junction');
  const playwright = join('node_modules', '@playwright');
  symlinkSync(join(root, playwright), join(folder, playwright), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'recipe.spec.ts'), spec);
  writePlaywrightSettings(folder, inject('programs').browser);
  return folder;
}
