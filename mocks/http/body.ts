import { concatenate } from '../media/bytes.ts';
import { parseJson } from '../parse-json.ts';
import { describeValue, Problem } from '../problem.ts';
import { refuseUnsafeJson } from './json-guard.ts';

/** Bytes that a body of the interface may have. */
export const bodyLimit: number = 100 * 1024;

/**
 * What JSON the body of a request holds; `undefined` where it is empty.
 * @throws Problem 415 for another content type, 400 for what is not JSON.
 */
export async function readJson(headers: Headers, bytes: Uint8Array): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  requireJsonType(headers);
  const value = await parseJson(decode(bytes), 'body: ');
  refuseUnsafeJson(value);
  return value;
}

/**
 * The body of a request.
 * @throws Problem 413 past `limit` bytes, 400 when it cannot be read to its end.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > limit) throw tooLarge(limit);
  try {
    if (declared === null && request.body) return await collect(request.body, limit);
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

async function collect(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > limit) {
      await reader.cancel();
      throw tooLarge(limit);
    }
    chunks.push(part.value);
  }
  return concatenate(chunks);
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
