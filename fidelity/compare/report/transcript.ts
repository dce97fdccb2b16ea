import type { Exchange } from '../../../conformance/model/report.ts';

/** An exchange as lines: the status, the headers that count, and the body. */
export function responseLines(exchange: Exchange): string[] {
  const { status, headers = {}, body = '', failure } = exchange;
  if (status === undefined) return [failure ?? 'no response'];
  const shown = Object.entries(headers).filter(([name]) => thatCount.test(name));
  return [
    String(status),
    ...shown.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [shorten(body, longestBody)]),
  ];
}

const thatCount =
  /^(content-type|link|location|allow|retry-after|www-authenticate|etag|x-next-cursor|access-control-.*)$/;
const longestBody = 600;
const longestCurl = 1_000;

/** The request as a line for a shell; one with a large body is cut. */
export function requestLine({ curl }: Exchange): string {
  return shorten(curl, longestCurl);
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
