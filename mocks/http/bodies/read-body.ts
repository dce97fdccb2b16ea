import type { Behaviours } from '../../../interface/silent.ts';
import { bodyTypes } from '../../../interface/silent-http.ts';
import { parseJson } from '../../problems/parse-json.ts';
import { describeValue, Problem } from '../../problems/problem.ts';
import { scanJson, startScan } from './json-scan.ts';
import { mayBeUnsafe, refuseUnsafeJson } from './unsafe-json.ts';

/**
 * The JSON value of a body; `undefined` for an empty one.
 * @throws Problem 415 for another content type, 400 for anything but JSON, 413 for too many keys.
 */
export function readJson(headers: Headers, bytes: Uint8Array, behaviours: Behaviours): unknown {
  if (bytes.length === 0) return undefined;
  requireJsonType(headers, behaviours);
  scanJson(startScan(), bytes);
  const text = decode(bytes, wholeDecoder);
  const value = parseJson(text, 'body');
  if (mayBeUnsafe(text)) refuseUnsafeJson(value);
  return value;
}

/**
 * The bytes of a request's body.
 * @throws Problem 413 above `limit` bytes, 400 when the body cannot be read to its end.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (!request.headers.has('content-length')) {
    let bytes = new Uint8Array(Math.min(limit, firstRoom));
    let length = 0;
    await readChunks(request, limit, (chunk) => {
      bytes = withRoom(bytes, length + chunk.length);
      bytes.set(chunk, length);
      length += chunk.length;
    });
    return bytes.slice(0, length);
  }
  refuseDeclared(request, limit);
  const bytes = new Uint8Array(await request.arrayBuffer().catch(refuseBroken));
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

const firstRoom = 4096;

/** The bytes with room for `length`: it doubles, so that a body in many small chunks is not copied for each. */
function withRoom(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

/**
 * Passes the body of a request to `take` chunk by chunk.
 * @throws Problem as {@link readBytes} does, and what `take` throws.
 */
export async function readChunks(
  request: Request,
  limit: number,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<void> {
  refuseDeclared(request, limit);
  if (request.bodyUsed || request.body?.locked) refuseBroken();
  const reader = request.body?.getReader();
  let length = 0;
  try {
    for (;;) {
      const part = await reader?.read().catch(refuseBroken);
      if (part?.value === undefined) return;
      length += part.value.length;
      if (length > limit) throw tooLarge(limit);
      await take(part.value);
    }
  } catch (error) {
    // Nobody waits for it: it ends only when a copy of the request, made by clone(), was read as well.
    reader?.cancel().catch(() => {});
    throw error;
  }
}

/** Refuses a body that is too large by its `content-length`. */
function refuseDeclared({ headers }: Request, limit: number): void {
  if (Number(headers.get('content-length')) > limit) throw tooLarge(limit);
}

function refuseBroken(): never {
  throw new Problem('malformed', {
    path: 'body',
    expected: 'one that can be read to its end',
    got: 'one that broke off or was read before',
  });
}

/** The text does not say how many came: that is known only for some ways to send a request. */
function tooLarge(limit: number): Problem {
  return new Problem('too-large', {
    path: 'body',
    expected: `at most ${limit} bytes`,
    got: 'more',
  });
}

/**
 * Refuses a body whose headers do not say that it is plain JSON, unless its content type is taken.
 * @throws Problem 415
 */
export function requireJsonType(headers: Headers, behaviours: Behaviours): void {
  const given = headers.get('content-type');
  const [type = '', ...parameters] = (given ?? '').toLowerCase().split(';');
  const row = type.trim() === 'application/json' ? undefined : rowOfType(type.trim());
  if (row !== undefined && behaviours[row] !== 'taken') {
    throw new Problem('unsupported-type', {
      path: 'header content-type',
      expected: 'application/json',
      got: describeValue(given ?? undefined),
      row,
    });
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset.trim())) {
    throw new Problem('unsupported-type', {
      path: 'header content-type',
      expected: 'the charset utf-8',
      got: describeValue(given),
    });
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new Problem('unsupported-type', {
      path: 'header content-encoding',
      expected: 'none',
      got: describeValue(encoding),
    });
  }
}

/** The row about a content type other than `application/json`; about text for one without a row. */
function rowOfType(type: string): `http.body-type.${'text' | 'form' | 'vendor' | 'none'}` {
  if (type === '') return 'http.body-type.none';
  if (type === bodyTypes.form) return 'http.body-type.form';
  return /^application\/[\w.-]+\+json$/.test(type)
    ? 'http.body-type.vendor'
    : 'http.body-type.text';
}

const wholeDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a body, or with `stream` of a part that is not the last.
 * @throws Problem 400 for bytes that are not UTF-8.
 */
export function decode(bytes: Uint8Array, decoder: TextDecoder, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Problem('malformed', {
      path: 'body',
      expected: 'UTF-8',
      got: 'bytes that are no valid UTF-8',
    });
  }
}
