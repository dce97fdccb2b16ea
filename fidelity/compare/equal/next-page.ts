import type { TargetResponse } from '../../../conformance/target/exchange.ts';

/** The query of the next page of a list, in a `Link` or `X-Next-Cursor` header; `undefined` without one. */
export function nextQuery({ headers }: TargetResponse, query: string): string | undefined {
  const cursor = headers.get('x-next-cursor');
  if (cursor !== null && cursor !== '') {
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', cursor);
    return `?${parameters}`;
  }
  const links = (headers.get('link') ?? '').matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g);
  const next = [...links].find(([, , parameters = '']) => relNext.test(parameters))?.[1];
  // Of an address only the query is used: the key goes along, and must not leave its path.
  return next?.includes('?') ? next.slice(next.indexOf('?')) : undefined;
}

const relNext = /;\s*rel\s*=\s*(next\b|"(?:[^"]*\s)?next[\s"])/i;
