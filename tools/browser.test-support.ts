import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { program } from './program.test-support.ts';

let shared: Promise<Browser> | undefined;

afterAll(async () => (await shared)?.close());

/**
 * A browser for one test, in which media play without a click: the same for all tests of a file, but
 * what a test opened in it is closed when the test ends.
 */
export async function openBrowser(): Promise<Browser> {
  const path = program('browser');
  shared ??= launch(path);
  const browser = await shared;
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

/** Launches a browser for all tests of a file; the function returned gives it to them. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const path = inject('programs').browser;
    if (path !== undefined) browser = await launch(path);
  });
  afterAll(() => browser?.close());
  return () => {
    program('browser');
    return browser as Browser;
  };
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
}
