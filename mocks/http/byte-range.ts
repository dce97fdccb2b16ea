import { type ByteSource, byteStream } from '../media/bytes.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { type PlainResponse, plainResponse, problemResponse } from '../messages/response.ts';

/** A file that is computed. */
export interface ComputedFile {
  readonly source: ByteSource;
  readonly contentType: string;
  /** Identifies the bytes. */
  readonly etag: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Longest body that is computed whole rather than streamed, in bytes. */
const wholeLimit = 1024 * 1024;

/** The response with a file, or with the part of it that the request asks for (RFC 9110, 13 and 14). */
export function fileResponse(
  request: Request,
  { source, contentType, etag }: ComputedFile,
): PlainResponse {
  // After a reset the same address may have other bytes, so caches must ask again.
  const shared = { etag, 'accept-ranges': 'bytes', 'cache-control': 'no-cache' };
  if (namesEtag(request.headers.get('if-none-match'), etag))
    return plainResponse(304, null, shared);
  // Only GET has ranges (RFC 9110, 14.2).
  const range =
    request.method === 'GET' ? readRange(request.headers, etag, source.length) : undefined;
  if (range === 'unsatisfiable') return refuseRange(request, source.length);
  const { start, end } = range ?? { start: 0, end: source.length };
  const body = end - start <= wholeLimit ? source.read(start, end) : byteStream(source, start, end);
  return plainResponse(range ? 206 : 200, request.method === 'HEAD' ? null : body, {
    ...shared,
    'content-type': contentType,
    'content-length': String(end - start),
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${source.length}` }),
  });
}

function refuseRange(request: Request, length: number): PlainResponse {
  const came = describeValue(request.headers.get('range'));
  const problem = new Problem('bad-range', {
    path: 'header range',
    expected: `a part of the ${length} bytes`,
    got: came,
  });
  return problemResponse(problem, { 'content-range': `bytes */${length}` });
}

/** The range to send; `undefined` for the whole file, also when the header is malformed (RFC 9110, 14.2). */
function readRange(
  headers: Headers,
  etag: string,
  length: number,
): Range | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)$/i.exec(headers.get('range') ?? '');
  const condition = headers.get('if-range');
  if (match === null || (condition !== null && condition !== etag)) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}

/** Whether `If-None-Match` names an ETag. */
export function namesEtag(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === '*' || tag === etag) ?? false;
}
