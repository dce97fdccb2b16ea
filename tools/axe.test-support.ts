import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

declare global {
  interface Window {
    axe?: { run(): Promise<AxeResults> };
  }
}

/** What axe finds wrong with a page in its current state. The page's policy must allow the script: use `bypassCSP`. */
export async function findViolations(page: Page): Promise<string[]> {
  if (await page.evaluate(() => window.axe === undefined)) {
    await page.addScriptTag({ path: axePath });
  }
  const { violations = [] } = (await page.evaluate(() => window.axe?.run())) ?? {};
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
