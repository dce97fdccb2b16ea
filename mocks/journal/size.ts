import { isText, type PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';

/** Headers that know how long they are, without being taken apart. */
export interface MeasuredHeaders {
  /** Characters of all names and values. */
  readonly textLength: number;
}

/** Bytes that an exchange costs beside its texts. */
const overhead = 2 * 1024;
/** Bytes that a header costs beside its texts. */
const headerOverhead = 64;
/** Bytes of a character, as an engine keeps it where one of the text is not Latin. */
const wide = 2;

/** What a request and its answer take, in bytes; roughly, and rather too much. */
export function sizeOfHappening(
  { url, headers }: Request,
  body: Uint8Array | undefined,
  answer: PlainResponse,
): number {
  const text = isText(answer.body) ? lengthOfText(answer.body) : 0;
  return overhead + url.length + lengthOf(headers) + (body?.length ?? 0) + wide * text;
}

/** What an exchange takes that was imported. */
export function sizeOfExchange({ request, answer }: Exchange): number {
  const characters =
    request.method.length +
    request.url.length +
    (request.body?.length ?? 0) +
    (answer.body?.length ?? 0);
  return (
    overhead +
    wide * characters +
    sizeOfPairs(Object.entries(request.headers)) +
    sizeOfPairs(Object.entries(answer.headers))
  );
}

function lengthOfText(pieces: readonly string[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

function lengthOf(headers: Headers): number {
  return (headers as Partial<MeasuredHeaders>).textLength ?? sizeOfPairs(headers);
}

function sizeOfPairs(pairs: Iterable<[string, string]>): number {
  let size = 0;
  for (const [name, value] of pairs) size += headerOverhead + wide * (name.length + value.length);
  return size;
}
