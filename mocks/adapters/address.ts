import type { Mock } from '../mock.ts';
import { ownPaths } from '../mock-options.ts';

/** Where a door that sits in front of other requests answers. */
export interface BaseUrlOptions {
  /**
   * The interface's base address, as the app under test knows it; in a page also a path such as
   * `/api`, at the page's own origin; in Playwright too, where its `baseURL` is set. Unless given, the one at which `livestream-mock serve`
   * answers: `http://127.0.0.1:4100/api`.
   */
  baseUrl?: string;
}

/** The base address unless another is given: that of `livestream-mock serve`. */
export const usualBaseUrl = 'http://127.0.0.1:4100/api';

/** Path of a base address, without a slash at its end. */
export function prefixOf(baseUrl: string): string {
  return readUrl(baseUrl).pathname.replace(/\/+$/, '');
}

/**
 * Tells which addresses a mock answers at `baseUrl`: all below it, and at its origin the media, the
 * control API and the OpenAPI document. Media addresses in the mock's worlds begin with that origin
 * from now on.
 * @throws RangeError when `baseUrl` is no URL, or its path is not the mock's prefix.
 */
export function coveredBy(mock: Mock, baseUrl: string): (url: string | URL) => boolean {
  const { origin } = readUrl(baseUrl);
  const prefix = prefixOf(baseUrl);
  if (prefix !== mock.prefix) {
    throw new RangeError(
      `baseUrl: expected a path of ${mock.prefix || '/'}, the mock's prefix, got "${baseUrl}"; createMock({ prefix: '${prefix}' }) answers there`,
    );
  }
  mock.servedAt(origin);
  const roots = ownPaths.map((path) => `/${path}`);
  return (url) => {
    const asked = new URL(url);
    return (
      asked.origin === origin &&
      [prefix, ...roots].some(
        (root) => asked.pathname === root || asked.pathname.startsWith(`${root}/`),
      )
    );
  };
}

function readUrl(baseUrl: string): URL {
  // In a page, as `fetch` reads it there; Node has no location.
  const page = globalThis.location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new RangeError(`baseUrl: expected a whole URL such as ${usualBaseUrl}, got "${baseUrl}"`);
}
