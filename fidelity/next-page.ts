import type { TargetResponse } from '../conformance/target/exchange.ts';

/** The query of the next page of a list, in a `Link` or `X-Next-Cursor` header; `undefined` without one. */
export function nextQuery({ headers }: TargetResponse, query: string): string | undefined {
  const cursor = headers.get('x-next-cursor');
  if (cursor !== null && cursor !== '') {
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', cursor);
    return `?${parameters}`;
  }
  const next = nextLink(headers);
  // Of an address only the query is used: the key goes along, and must not leave its path.
  return next?.includes('?') ? next.slice(next.indexOf('?')) : undefined;
}

/** How a response tells of a next page. */
export function nextToldBy({ headers }: TargetResponse): 'link' | 'x-next-cursor' | 'not' {
  if (nextLink(headers) !== undefined) return 'link';
  return headers.get('x-next-cursor') ? 'x-next-cursor' : 'not';
}

/** The address of the next page in a `Link` header. */
function nextLink(headers: Headers): string | undefined {
  const links = (headers.get('link') ?? '').matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g);
  return [...links].find(([, , parameters = '']) => relNext.test(parameters))?.[1];
}

const relNext = /;\s*rel\s*=\s*(next\b|"(?:[^"]*\s)?next[\s"])/i;
