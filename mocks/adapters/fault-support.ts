import type { UnableEffects } from '../faults/unable.ts';

/** Ways in which a client's requests reach a mock; the vitest fixture's is that of the MSW that is there. */
export type DoorName =
  | 'mock.fetch'
  | 'serve, to Node'
  | 'serve, to Chromium'
  | 'MSW 2 in Node'
  | 'MSW 3 in Node'
  | 'MSW 2 in Chromium'
  | 'Playwright';

/** Effects that a client sees otherwise through one door than through another. */
export type UnequalEffect = 'reset' | 'truncate' | 'drip';

/** What a client's `fetch` makes of them; all other effects are the same through every door. */
export const faultSupport: Readonly<Record<DoorName, Readonly<Record<UnequalEffect, string>>>> = {
  'mock.fetch': {
    reset: 'Response.error()',
    truncate: '200, then TypeError: The body breaks off, as a fault has it.',
    drip: '200, in pieces',
  },
  'serve, to Node': {
    reset: 'TypeError: fetch failed (ECONNRESET)',
    truncate: '200, then TypeError: terminated (UND_ERR_SOCKET)',
    drip: '200, in pieces',
  },
  'serve, to Chromium': {
    reset: 'TypeError: Failed to fetch (net::ERR_CONNECTION_RESET)',
    truncate: '200, then TypeError: network error (net::ERR_CONTENT_LENGTH_MISMATCH)',
    drip: '200, in pieces',
  },
  'MSW 2 in Node': {
    reset: 'TypeError: Failed to fetch',
    truncate: '200, then TypeError: The body breaks off, as a fault has it.',
    drip: '200, in pieces',
  },
  'MSW 3 in Node': {
    reset: 'TypeError: fetch failed',
    truncate: '200, then TypeError: terminated (UND_ERR_SOCKET)',
    drip: '200, in pieces',
  },
  'MSW 2 in Chromium': {
    reset: 'TypeError: Failed to fetch (net::ERR_FAILED)',
    truncate: '200, then TypeError: network error (net::ERR_ABORTED)',
    drip: '200, in pieces',
  },
  Playwright: {
    reset: 'TypeError: Failed to fetch (net::ERR_CONNECTION_RESET)',
    truncate: 'refused',
    drip: 'refused',
  },
};

const wholeAnswers =
  'Playwright hands a page its answers whole; with serve() of livestream-mock/node the page gets it';

/** What is refused behind Playwright's routes. */
export const unableInPlaywright: UnableEffects = { truncate: wholeAnswers, drip: wholeAnswers };
