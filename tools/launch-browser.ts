import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of all tests is reached, if the machine has one. */
    browserAddress?: string;
  }
}

/** Launches one browser for all tests, in which media play without a click, with a camera. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = project.getProvidedContext().programs.browser;
  if (executablePath === undefined) return undefined;
  const args = [
    '--no-sandbox',
    '--autoplay-policy=no-user-gesture-required',
    // A camera with a test picture, which every page may use.
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ];
  const browser = await chromium.launchServer({ executablePath, args });
  project.provide('browserAddress', browser.wsEndpoint());
  return () => browser.close();
}
