import type { AnyEffect } from '../faults/effects.ts';

/** Ways in which requests reach a mock; the vitest integration's is that of the MSW that is installed. */
export type IntegrationName =
  | 'mock.fetch'
  | 'serve, to Node'
  | 'serve, to Chromium'
  | 'MSW 2 in Node'
  | 'MSW 3 in Node'
  | 'MSW 2 in Chromium'
  | 'Playwright';

type Sends = NonNullable<AnyEffect['sends']>;

const refused = 'refused';

/**
 * What a client's `fetch` comes to where an effect needs a reset, a partial or a slow response. All
 * other effects are the same in every integration.
 */
export const faultSupport: Readonly<Record<IntegrationName, Readonly<Record<Sends, string>>>> = {
  'mock.fetch': {
    reset: 'Response.error()',
    partial: '200, then TypeError: The body was cut off by a fault.',
    slow: '200, in pieces',
  },
  'serve, to Node': {
    reset: 'TypeError: fetch failed (ECONNRESET)',
    partial: '200, then TypeError: terminated (UND_ERR_SOCKET)',
    slow: '200, in pieces',
  },
  'serve, to Chromium': {
    reset: 'TypeError: Failed to fetch (net::ERR_CONNECTION_RESET)',
    partial: '200, then TypeError: network error (net::ERR_CONTENT_LENGTH_MISMATCH)',
    slow: '200, in pieces',
  },
  'MSW 2 in Node': {
    reset: 'TypeError: Failed to fetch',
    partial: '200, then TypeError: The body was cut off by a fault.',
    slow: '200, in pieces',
  },
  'MSW 3 in Node': {
    reset: 'TypeError: fetch failed',
    partial: '200, then TypeError: terminated (UND_ERR_SOCKET)',
    slow: '200, in pieces',
  },
  'MSW 2 in Chromium': {
    reset: 'TypeError: Failed to fetch (net::ERR_FAILED)',
    partial: '200, then TypeError: network error (net::ERR_ABORTED)',
    slow: '200, in pieces',
  },
  Playwright: {
    reset: 'TypeError: Failed to fetch (net::ERR_CONNECTION_RESET)',
    partial: refused,
    slow: refused,
  },
};
