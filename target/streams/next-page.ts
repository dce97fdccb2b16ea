import type { TargetResponse } from '../requests/exchange.ts';
import { isSuccess } from '../requests/read-response.ts';
import { type Caller, get } from './stream-requests.ts';

/** How many pages of a list are read: most services list the newest first. */
const maxPages = 50;
/** After this many bytes, or milliseconds, of all pages together, no further page is read. */
const maxBytes = 4 * 1024 * 1024;
const longestReading = 30_000;

/**
 * The responses with the pages of a list, up to the first that is not a success.
 * @param path the path of the first page, which may have a query
 * @throws what `call` throws.
 */
export async function* pagesOf(
  call: Caller,
  path: string,
  isEnough: () => boolean = () => false,
): AsyncGenerator<TargetResponse> {
  const [pathname = ''] = path.split('?');
  let query: string | undefined = path.slice(pathname.length);
  let bytes = 0;
  const end = performance.now() + longestReading;
  for (let page = 0; page < maxPages && query !== undefined && !isEnough(); page++) {
    if (bytes > maxBytes || performance.now() > end) return;
    const response: TargetResponse = await call(get(pathname + query));
    bytes += response.bytes.length;
    yield response;
    const next: string | undefined = isSuccess(response) ? nextQuery(response, query) : undefined;
    query = next === query ? undefined : next;
  }
}

/** The query of the next page of a list, in a `Link` or `X-Next-Cursor` header; `undefined` without one. */
export function nextQuery({ headers }: TargetResponse, query: string): string | undefined {
  const cursor = headers.get('x-next-cursor');
  if (cursor !== null && cursor !== '') {
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', cursor);
    return `?${parameters}`;
  }
  const next = nextLink(headers.get('link'));
  // Only the query of the address is used: the request has the key, which must not go elsewhere.
  return next?.includes('?') ? next.slice(next.indexOf('?')) : undefined;
}

/** In which header a response points to a next page. */
export function nextPageHeader({ headers }: TargetResponse): 'link' | 'x-next-cursor' | 'not' {
  // The cursor comes first, as in `nextQuery`.
  if (headers.get('x-next-cursor')) return 'x-next-cursor';
  return nextLink(headers.get('link')) === undefined ? 'not' : 'link';
}

/** The address of the next page in a `Link` header (RFC 8288). */
export function nextLink(link: string | null): string | undefined {
  const links = (link ?? '').matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g);
  return [...links].find(([, , parameters = '']) => relNext.test(parameters))?.[1];
}

const relNext = /;\s*rel\s*=\s*(next\b|"(?:[^"]*\s)?next[\s"])/i;
