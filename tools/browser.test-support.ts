import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';

/** Launches a browser, in which media play without a click; the test that asked for it closes it. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launch();
  onTestFinished(() => browser.close());
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
