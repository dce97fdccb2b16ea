import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the browser that all tests share, if the machine has one. */
    browserAddress?: string;
  }
}

/** Launches one browser for all tests, with autoplay and a fake camera. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = project.getProvidedContext().programs.browser;
  if (executablePath === undefined) return undefined;
  const args = [
    '--no-sandbox',
    '--autoplay-policy=no-user-gesture-required',
    // A camera that shows a test picture, and that every page may use.
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ];
  const browser = await chromium.launchServer({ executablePath, args });
  project.provide('browserAddress', browser.wsEndpoint());
  return () => browser.close();
}
