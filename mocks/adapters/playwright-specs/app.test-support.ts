import type { Page } from '@playwright/test';

/** The interface's base URL in the specs; nothing listens there. */
export const baseUrl = 'https://livestream.test/api';

/** Opens the app: an empty page of another origin than the interface's. */
export async function openApp(page: Page): Promise<void> {
  await page
    .context()
    .route(/^https:\/\/app\.test\/\w*$/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>App</title><video muted></video>' }),
    );
  await page.goto('https://app.test/');
}

/** A request that the app sends. */
interface Call {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Sends a request from the page by `fetch`. */
export function send(page: Page, call: Call) {
  return page.evaluate(
    async ({ base, path, method = 'GET', headers, body }) => {
      const response = await fetch(base + path, {
        method,
        headers: {
          authorization: 'Bearer test-demo',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
    { base: baseUrl, ...call },
  );
}
