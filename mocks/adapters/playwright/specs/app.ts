import type { Page } from '@playwright/test';

/** The interface as the app of the specs knows it; nothing listens there. */
export const baseUrl = 'https://livestream.test/api';

/** Opens the app: an empty page of another origin than the interface's. */
export async function openApp(page: Page): Promise<void> {
  await page
    .context()
    .route('https://app.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>App</title><video muted></video>' }),
    );
  await page.goto('https://app.test/');
}

/** A request that the app sends. */
export interface Call {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** What the app can read of an answer. */
export interface Seen {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends a request from the page by `fetch`. */
export function send(page: Page, call: Call): Promise<Seen> {
  return page.evaluate(
    async ({ base, path, method = 'GET', headers, body }) => {
      const answer = await fetch(base + path, {
        method,
        headers: {
          authorization: 'Bearer test-demo',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      };
    },
    { base: baseUrl, ...call },
  );
}
