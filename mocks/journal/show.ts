import type { ClientOperation } from '../../interface/operation-names.ts';
import type { PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';
import { type Hide, hideSecrets, readHeaders } from './hide-secrets.ts';

/** What is kept of a request and its response: no media, and nothing that holds a connection. */
export interface KeptExchange {
  readonly number: number;
  readonly startedAt: number;
  readonly at: number;
  readonly fault: number | undefined;
  readonly operation: ClientOperation | undefined;
  readonly isStatic: true | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly status: number;
  readonly responseHeaders: PlainResponse['headers'];
  readonly responseBody: readonly string[] | undefined;
}

/** Shows a kept exchange without the key that the request was sent with and without other secrets. */
export type Show = (kept: KeptExchange) => Exchange;

/**
 * Makes the function that shows the exchanges of a journal while it is read once; `hide` replaces
 * `secrets`. Most texts occur in many exchanges, so each is searched for keys only once.
 */
export function createShow(secrets: readonly string[], hide: Hide): Show {
  const hides = new Map<string | undefined, Hide>([[undefined, rememberTexts(hide)]]);
  return (kept) => {
    const sent = sentKey(kept.headers);
    const other = sent === undefined || secrets.includes(sent) ? undefined : sent;
    const known = hides.get(other) ?? rememberTexts(hideSecrets([...secrets, other ?? '']));
    hides.set(other, known);
    return show(kept, known);
  };
}

/** The key that a request was sent with, accepted or not. */
function sentKey(headers: Headers): string | undefined {
  const header = headers.get('authorization');
  return header?.replace(/^\S+ +/, '').trim() || undefined;
}

function rememberTexts(hide: Hide): Hide {
  const shown = new Map<string, string>();
  return (text) => {
    const known = shown.get(text) ?? hide(text);
    shown.set(text, known);
    return known;
  };
}

function show(kept: KeptExchange, hide: Hide): Exchange {
  const { number, at, startedAt, operation, fault, isStatic, responseBody } = kept;
  const body = kept.body && readText(kept.body);
  return {
    number,
    startedAt,
    at,
    ...(operation !== undefined && { operation }),
    ...(fault !== undefined && { fault }),
    ...(isStatic !== undefined && { static: isStatic }),
    request: {
      method: kept.method,
      url: hide(kept.url),
      headers: readHeaders(kept.headers, hide),
      ...(body !== undefined && { body: hide(body) }),
    },
    answer: {
      status: kept.status,
      headers: readHeaders(Object.entries(kept.responseHeaders), hide),
      ...(responseBody !== undefined && {
        // `+` keeps the pieces shared in memory until the text is read; `join` would copy them now.
        body: responseBody.reduce((text, piece) => text + hide(piece), ''),
      }),
    },
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of some bytes; `undefined` where they are not UTF-8. */
function readText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A copy that shares the texts, which are most of an exchange. */
export function copyExchange(exchange: Exchange): Exchange {
  const { request, answer } = exchange;
  return {
    ...exchange,
    request: { ...request, headers: { ...request.headers } },
    answer: { ...answer, headers: { ...answer.headers } },
  };
}
