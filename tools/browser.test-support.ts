import { type Browser, chromium } from 'playwright-core';
import { beforeAll, inject, onTestFinished } from 'vitest';
import { program } from './program.test-support.ts';

/** This worker's connection to the browser that all tests share. */
let connection: Promise<Browser> | undefined;

/** The browser for one test. What the test opens is closed when the test ends. */
export async function openBrowser(): Promise<Browser> {
  program('browser');
  const browser = await connect();
  onTestFinished(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  return browser;
}

/** Connects to the browser for all tests in a file; the returned function gives it to them. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (inject('programs').browser !== undefined) browser = await connect();
  });
  return () => {
    program('browser');
    return browser as Browser;
  };
}

function connect(): Promise<Browser> {
  connection ??= chromium.connect(inject('browserAddress') ?? '');
  return connection;
}
