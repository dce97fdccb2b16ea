import { isRefusal } from '../../interface/cells.ts';
import { type Manners, usualManners } from '../../interface/dialect.ts';
import type { Asked } from '../../interface/errors.ts';
import { decodeUtf8, parseJson } from '../problems/parse-json.ts';
import { describeValue, Problem, type ProblemIssue } from '../problems/problem.ts';
import { refuseUnsafeJson } from '../problems/unsafe-json.ts';
import { cellOf, meet } from '../service/meet.ts';

/** Whose body is read: what it asks for, and how it is met. */
export interface Reader {
  readonly manners: Manners;
  /** A body without cells of its own, such as that of the control API, is met as that of a creation. */
  readonly asked: Asked;
}

/**
 * The JSON value of a body; `undefined` for an empty one.
 * @throws Problem 415 for another content type, 400 for anything but JSON.
 */
export async function readJson(
  headers: Headers,
  bytes: Uint8Array<ArrayBuffer>,
  reader: Reader,
): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  requireJsonType(headers, reader);
  const encoding = encodingOf(headers);
  if (encoding === 'identity') return parseBody(bytes, reader);
  meetEncoding(encoding, reader);
  return parseBody(await decompress(bytes, encoding), reader);
}

function parseBody(bytes: Uint8Array, reader: Reader): unknown {
  const value = parse(decodeBody(bytes, reader), reader);
  refuseUnsafeJson(value, deepestFor(reader));
  return value;
}

/** The text of a body; where a dialect takes bytes that are no UTF-8, each is a replacement character. */
function decodeBody(bytes: Uint8Array, { manners, asked }: Reader): string {
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    const problem = () => error as Problem;
    meet(manners, asked, { error: 'body:bytes', problem }, undefined);
    return new TextDecoder().decode(bytes);
  }
}

function parse(text: string, { manners, asked }: Reader): unknown {
  try {
    return parseJson(text, 'body');
  } catch (error) {
    const { issues } = error as Problem;
    const [{ got, path, expected }] = issues as [ProblemIssue];
    const isCut = String(got).startsWith('its end') || /^\s*[{[][\s\S]*[^}\]\s]\s*$/.test(text);
    const kind = isCut ? 'body:cut' : 'body:malformed';
    const problem = () => new Problem('malformed', { path, expected, got, error: kind });
    meet(manners, asked, { error: kind, problem }, undefined);
    return {};
  }
}

function encodingOf(headers: Headers): string {
  return headers.get('content-encoding') ?? 'identity';
}

function meetEncoding(encoding: string, { manners, asked }: Reader): void {
  const problem = () =>
    new Problem('unsupported-type', {
      path: 'header content-encoding',
      expected: 'none',
      got: describeValue(encoding),
      error: 'body:encoding',
    });
  if (encoding !== 'gzip' && encoding !== 'deflate') throw problem();
  meet(manners, asked, { error: 'body:encoding', problem }, undefined);
}

async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream();
  const decompressed = stream.pipeThrough(new DecompressionStream(encoding as CompressionFormat));
  const request = new Request('http://localhost', {
    method: 'POST',
    body: decompressed,
    duplex: 'half',
  } as RequestInit);
  return readBytes(request, mostDecompressed);
}

/** Most bytes of a body that was compressed. */
const mostDecompressed = 16 * 1024 * 1024;

/** How many arrays and objects may be in each other; a dialect that takes any number takes so many. */
function deepestFor({ manners, asked }: Reader): number | undefined {
  if (manners === usualManners) return undefined;
  const cell = cellOf(manners, asked, 'body:deep');
  return cell !== undefined && isRefusal(cell) ? cell.above : mostLevels;
}

const mostLevels = 1_000;

/**
 * The bytes of a request's body.
 * @throws Problem 413 above `limit` bytes, 400 when the body cannot be read to its end.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
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
    error: 'body:large',
  });
}

/**
 * Meets a body whose headers do not say that it is plain JSON.
 * @throws Problem 415
 */
function requireJsonType(headers: Headers, reader: Reader): void {
  const given = headers.get('content-type');
  const [type = '', ...parameters] = (given ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    meetType(given, errorOfType(type.trim()), 'application/json', reader);
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset.trim())) {
    meetType(given, 'body:charset', 'the charset utf-8', reader);
  }
}

function meetType(
  given: string | null,
  error: string,
  expected: string,
  { manners, asked }: Reader,
): void {
  const problem = () =>
    new Problem('unsupported-type', {
      path: 'header content-type',
      expected,
      got: describeValue(given ?? undefined),
      error,
    });
  meet(manners, asked, { error, problem }, undefined);
}

/** The error of a content type other than `application/json`; of text for one without an error of its own. */
function errorOfType(type: string): string {
  if (type === '') return 'body:type:none';
  if (type === 'application/x-www-form-urlencoded') return 'body:type:form';
  return /^application\/[\w.-]+\+json$/.test(type) ? 'body:type:vendor' : 'body:type:text';
}
