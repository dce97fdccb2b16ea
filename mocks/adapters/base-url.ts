import { pathsAtOrigin } from '../../interface/dialect/dialect.ts';
import { fitsPattern, ownPaths } from '../http/routes.ts';
import { otherHost } from '../messages/other-host.ts';
import type { Mock } from '../mock.ts';

/** The address whose requests an integration intercepts and answers. */
export interface BaseUrlOptions {
  /**
   * The interface's base URL, as the app under test knows it. In a page, and in Playwright if its `baseURL` is set,
   * it may be a path such as `/api`. Default: that of `livestream-mock serve`, `http://127.0.0.1:4100/api`.
   */
  baseUrl?: string;
}

/** The base URL of `livestream-mock serve`. */
export const defaultBaseUrl = 'http://127.0.0.1:4100/api';

/** The path of a base URL, without a slash at its end. */
export function prefixOf(baseUrl: string): string {
  return readBaseUrl(baseUrl).pathname.replace(/\/+$/, '');
}

/**
 * Makes a test for the URLs that a mock at `baseUrl` answers: everything below it, and at its origin the media, the control
 * API, the OpenAPI document and the static routes of its dialect, except the root, where an app may have its page. From now
 * on, media addresses in the mock's worlds have this origin.
 * @throws RangeError if `baseUrl` is not a URL, or its path is not the mock's prefix.
 */
export function coveredBy(mock: Mock, baseUrl: string): (url: string | URL) => boolean {
  const { origin } = readBaseUrl(baseUrl);
  const prefix = prefixOf(baseUrl);
  if (prefix !== mock.prefix) {
    throw new RangeError(
      `baseUrl: expected a path of ${mock.prefix || '/'}, the mock's prefix, got "${baseUrl}"; createMock({ prefix: '${prefix}' }) answers there`,
    );
  }
  mock.servedAt(origin);
  const origins = mock.variant === undefined ? [origin] : [origin, onOtherHost(origin)];
  const roots = [prefix, ...[...ownPaths].map((path) => `/${path}`)];
  const routes = pathsAtOrigin(mock.dialect)
    .filter((path) => path !== '/')
    .map((path) => path.split('/'));
  return (url) => {
    const { origin: requestedOrigin, pathname } = new URL(url);
    const isBelow = (root: string) => `${pathname}/`.startsWith(`${root}/`);
    // The mock answers a path with a last slash as one without.
    const segments = pathname.replace(/\/$/, '').split('/');
    const isRoute = (route: readonly string[]) => fitsPattern(route, segments);
    return origins.includes(requestedOrigin) && (roots.some(isBelow) || routes.some(isRoute));
  };
}

/** Where a variant may say that the media is. */
function onOtherHost(origin: string): string {
  const url = new URL(origin);
  url.hostname = otherHost(url.hostname);
  return url.origin;
}

function readBaseUrl(baseUrl: string): URL {
  // In a page, a path is resolved as by its `fetch`. Node has no location.
  const page = globalThis.location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new RangeError(`baseUrl: expected a whole URL such as ${defaultBaseUrl}, got "${baseUrl}"`);
}
