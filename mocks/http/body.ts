import { parseJson } from '../parse-json.ts';
import { describeValue, Problem } from '../problem.ts';
import { refuseUnsafeJson, refuseUnwieldyJson } from './json-guard.ts';

/** Bytes that a body of the interface may have. */
export const bodyLimit: number = 100 * 1024;

/**
 * What JSON the body of a request holds; `undefined` where it is empty.
 * @throws Problem 415 for another content type, 400 for what is not JSON, 413 for too much of it.
 */
export function readJson(headers: Headers, bytes: Uint8Array): unknown {
  return parseBody(readText(headers, bytes));
}

/**
 * The text of a body that is said to be JSON and is not too much of it; `undefined` where it is empty.
 * @throws Problem 415 for another content type, 400 for what is no text, 413 for too many values.
 */
export function readText(headers: Headers, bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined;
  requireJsonType(headers);
  refuseUnwieldyJson(bytes);
  return decode(bytes);
}

/**
 * What JSON the text of a body holds.
 * @throws Problem 400
 */
export function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const value = parseJson(text, 'body: ');
  refuseUnsafeJson(value);
  return value;
}

/**
 * The body of a request. Where `count` is given, it is told of all bytes as they come, and may throw.
 * @throws Problem 413 past `limit` bytes, 400 when it cannot be read to its end.
 */
export async function readBytes(
  request: Request,
  limit: number,
  count?: (bytes: number) => void,
): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > limit) throw tooLarge(limit);
  try {
    if ((declared === null || count) && request.body) {
      return await collect(request.body, limit, count);
    }
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      400,
      'body: expected one that can be read to its end, got one that broke off or was read before',
    );
  }
}

async function collect(
  body: ReadableStream<Uint8Array>,
  limit: number,
  count: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const reader = body.getReader();
  let bytes = new Uint8Array(64 * 1024);
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const end = length + part.value.length;
      if (end > limit) throw tooLarge(limit);
      count(part.value.length);
      if (end > bytes.length) bytes = enlarged(bytes, Math.min(2 * end, limit));
      bytes.set(part.value, length);
      length = end;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    await reader.cancel();
    throw error;
  }
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

/** How many came is not said: whether it is known depends on how the request was sent. */
function tooLarge(limit: number): Problem {
  return new Problem(413, `body: expected at most ${limit} bytes, got more`);
}

function requireJsonType(headers: Headers): void {
  const given = headers.get('content-type');
  const [type = '', ...parameters] = (given ?? '').toLowerCase().split(';');
  if (!/^application\/(json|[\w.-]+\+json)$/.test(type.trim())) {
    throw new Problem(
      415,
      `header content-type: expected application/json, got ${describeValue(given ?? undefined)}`,
    );
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset.trim())) {
    throw new Problem(
      415,
      `header content-type: expected the charset utf-8, got ${describeValue(given)}`,
    );
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new Problem(
      415,
      `header content-encoding: expected none, got ${describeValue(encoding)}`,
    );
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem(400, 'body: expected UTF-8, got bytes that are no valid UTF-8');
  }
}
