import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';

interface SetupOptions extends MockOptions {
  readonly context?: BrowserContextOptions;
  /** Whether the service refuses something or is down, which the browser logs to its console. */
  readonly refuses?: boolean;
}

const refusal =
  /^Failed to load resource: (the server responded with a status of [45]\d\d |net::ERR_)/;

/** Launches a browser for the tests of a file. Returns a function that opens the dashboard in it. */
export function useDashboard() {
  const browser = useBrowser();
  return async ({ context = {}, refuses = false, ...options }: SetupOptions = {}) => {
    const open = browser();
    const mock = createMock(options);
    const server = await serve(mock);
    const page = await open.newPage({ locale: 'en-GB', ...context });
    await page.addInitScript(keepCopied);
    // Shorter than the timeout of a test, so that a failure says what was waited for.
    page.setDefaultTimeout(10_000);
    const complaints = collectComplaints(page, [server.origin, mock.mediaOrigin]);
    onTestFinished(async () => {
      await page.close();
      await server.close();
      expect(complaints.filter((text) => !refuses || !refusal.test(text))).toEqual([]);
    });
    await page.goto(`${server.origin}/`);
    /** Sends a request as an app would, and returns the status. */
    const send = async (request: string, body?: unknown): Promise<number> => {
      const [method = '', path = ''] = request.split(' ');
      const headers = {
        authorization: `Bearer ${mock.apiKey}`,
        'content-type': 'application/json',
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(server.baseUrl + path, { method, headers, ...sent })).status;
    };
    return { page, mock, server, world: await mock.world(), send };
  };
}

/** What the browser complains about, and requests to any other origins. */
function collectComplaints(page: Page, origins: readonly (string | undefined)[]): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    const url = request.url().replace(/^blob:/, '');
    if (!origins.includes(new URL(url).origin)) complaints.push(`request of ${url}`);
  });
  return complaints;
}

/** Waits until something is shown. */
export async function expectShown(locator: Locator): Promise<void> {
  await locator.waitFor({ timeout: 20_000 });
}

/** Waits until a text is announced to screen readers. */
export async function expectSaid(page: Page, text: string): Promise<void> {
  await expectShown(page.getByRole('status').filter({ hasText: text }));
}

/** Waits until the player has played for a while. */
export async function expectPlaying(page: Page): Promise<void> {
  const played = () =>
    page.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime);
  await expect.poll(played).toBeGreaterThan(0.5);
}

/** Presses a button. */
export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}

/** Answers the question that the page asks next. */
export function reply(page: Page, answer: 'accept' | 'dismiss'): void {
  page.once('dialog', (dialog) => dialog[answer]());
}

declare global {
  interface Window {
    /** The last text that the page copied. */
    copied?: string | undefined;
  }
}

/** Runs in the page. All pages of the browser share its clipboard, so each keeps its own. */
function keepCopied(): void {
  if (!isSecureContext) return;
  navigator.clipboard.writeText = async (text) => {
    window.copied = text;
  };
}

/** Presses a button that copies something, and returns what it copied. */
export async function copied(page: Page, name: string): Promise<string> {
  await page.evaluate(() => {
    window.copied = undefined;
  });
  await press(page, `Copy ${name}`);
  await expectSaid(page, `Copied ${name}.`);
  return (await page.waitForFunction(() => window.copied)).jsonValue() as Promise<string>;
}

/** The rows of a titled list. */
export function rowsOf(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true }).getByRole('listitem');
}

/** Shows the world of another key. */
export async function openWorld(page: Page, key: string): Promise<void> {
  await press(page, /^World /);
  await page.getByLabel('API key').fill(key);
  await press(page, 'Open');
}

/** Opens one of the views by its name. */
export async function openView(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  await link.click();
  // Until then, the parts of the previous view are there, some with the same names.
  await expectShown(link.and(page.locator('[aria-current="page"]')));
}
