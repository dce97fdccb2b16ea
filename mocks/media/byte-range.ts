import { describeValue, Problem } from '../messages/problem.ts';
import { type PlainResponse, plainResponse } from '../messages/response.ts';
import { type ByteSource, byteStream } from './bytes.ts';

/** Maximum size of a body that is computed at once rather than streamed, in bytes. */
const maxBufferedBytes = 1024 * 1024;

/** The response with a file, or with the range of it that the request asks for (RFC 9110, 14). */
export function rangeResponse(
  { method, headers }: Request,
  source: ByteSource,
  contentType: string,
): PlainResponse {
  // Only GET has ranges (RFC 9110, 14.2).
  const header = method === 'GET' ? headers.get('range') : null;
  const range = header === null ? undefined : readRange(header, source.length);
  const { start, end } = range ?? { start: 0, end: source.length };
  const body =
    end - start <= maxBufferedBytes ? source.read(start, end) : byteStream(source, start, end);
  return plainResponse(range ? 206 : 200, method === 'HEAD' ? null : body, {
    'accept-ranges': 'bytes',
    // After a reset the same address may have other bytes, so caches must ask again.
    'cache-control': 'no-cache',
    'content-type': contentType,
    'content-length': String(end - start),
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${source.length}` }),
  });
}

/**
 * The range to send; `undefined` for the whole file, which is also sent if the header is malformed (RFC 9110, 14.2).
 * @throws Problem 416 for a range outside the file.
 */
function readRange(
  header: string,
  length: number,
): { readonly start: number; readonly end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  if (start < end) return { start, end };
  throw new Problem('bad-range', {
    path: 'header range',
    expected: `a part of the ${length} bytes`,
    got: describeValue(header),
    headers: { 'content-range': `bytes */${length}` },
  });
}
