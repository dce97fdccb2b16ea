import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';

let shared: Promise<Browser> | undefined;

afterAll(async () => (await shared)?.close());

/**
 * A browser for one test, in which media play without a click: the same for all tests of a file, but
 * what a test opened in it is closed when the test ends.
 */
export async function openBrowser(): Promise<Browser> {
  shared ??= launch();
  const browser = await shared;
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

/** Launches a browser for all tests of a file; the function returned gives it to them. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  return () => browser;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: inject('programs').browser,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
}
