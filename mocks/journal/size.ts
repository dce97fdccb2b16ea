import { isText, type PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';

/** Headers that know their length without being parsed. */
export interface MeasuredHeaders {
  /** Characters of all names and values. */
  readonly textLength: number;
}

/** Bytes of an exchange beside its texts. */
const overhead = 2 * 1024;
/** Bytes of a header beside its texts. */
const headerOverhead = 64;
/** Bytes of a character: an engine takes two for each where one of the text is not Latin. */
const wide = 2;

/** About how many bytes a request and its response take, rather too many than too few. */
export function sizeOfMessages(
  { url, headers }: Request,
  body: Uint8Array | undefined,
  response: PlainResponse,
): number {
  let text = 0;
  if (isText(response.body)) for (const piece of response.body) text += piece.length;
  const headerSize = (headers as Partial<MeasuredHeaders>).textLength ?? sizeOfPairs(headers);
  return overhead + url.length + headerSize + (body?.length ?? 0) + wide * text;
}

/** About how many bytes an imported exchange takes. */
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

function sizeOfPairs(pairs: Iterable<[string, string]>): number {
  let size = 0;
  for (const [name, value] of pairs) size += headerOverhead + wide * (name.length + value.length);
  return size;
}
