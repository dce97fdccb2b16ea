import type { ClientOperation } from '../../interface/operation-names.ts';
import { sentKey } from '../http/credential.ts';
import type { PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';
import { type Hide, hideSecrets, readHeaders } from './hide-secrets.ts';

/** What stays of a request and its answer: no media, and nothing that holds on to a connection. */
export interface Kept {
  readonly number: number;
  readonly startedAt: number;
  readonly at: number;
  readonly fault: number | undefined;
  readonly operation: ClientOperation | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly status: number;
  readonly answerHeaders: PlainResponse['headers'];
  readonly answerBody: readonly string[] | undefined;
}

/** Shows what was kept, without the key that it came with and some others. */
export type Show = (kept: Kept) => Exchange;

/**
 * Makes what shows the exchanges of one look into a journal; `hide` replaces `secrets`. Most texts
 * are a part of many exchanges, and keys are looked for in each text once.
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

function rememberTexts(hide: Hide): Hide {
  const shown = new Map<string, string>();
  return (text) => {
    const known = shown.get(text) ?? hide(text);
    shown.set(text, known);
    return known;
  };
}

function show(kept: Kept, hide: Hide): Exchange {
  const { number, at, startedAt, operation, fault, answerBody } = kept;
  const body = kept.body && readText(kept.body);
  return {
    number,
    startedAt,
    at,
    ...(operation !== undefined && { operation }),
    ...(fault !== undefined && { fault }),
    request: {
      method: kept.method,
      url: hide(kept.url),
      headers: readHeaders(kept.headers, hide),
      ...(body !== undefined && { body: hide(body) }),
    },
    answer: {
      status: kept.status,
      headers: readHeaders(Object.entries(kept.answerHeaders), hide),
      ...(answerBody !== undefined && { body: addUp(answerBody, hide) }),
    },
  };
}

/** Added up and not joined, so that a text is put together only when somebody looks at it. */
function addUp(pieces: readonly string[], hide: Hide): string {
  return pieces.reduce((text, piece) => text + hide(piece), '');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What bytes say, where they are text. */
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
