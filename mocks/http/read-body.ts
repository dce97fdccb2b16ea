import { type Cell, isRefusal } from '../../interface/dialect/cells.ts';
import {
  defaultBodyDepth,
  type ErrorIdOf,
  isBodyOperation,
} from '../../interface/dialect/errors.ts';
import { isObject } from '../../interface/json.ts';
import { hasByteOrderMark, utf16MarkedIn } from '../../text/text-bytes.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import {
  type DepthLimit,
  decodeBody,
  hasDuplicateKey,
  hasUnusualWholeNumber,
  maxBodyDepth,
  parseJsonBody,
  refuseDeepJson,
  refuseProtoKey,
  removeProtoKey,
} from '../messages/read-json.ts';
import type { Bytes } from '../messages/response.ts';
import { acceptOrRefuse } from '../service/accept-or-refuse.ts';
import { type ExportedState, readStateLines } from '../service/exported-state.ts';
import { blankBody, unreadableBody } from '../service/read-fields.ts';
import type { Plan, SizeLimit } from './plan.ts';

/** What the content type of a body says. */
interface ContentType {
  /** The header as it was sent. */
  readonly sent: string | null;
  /** Its type, in lower case and without parameters; empty if there is none. */
  readonly type: string;
  /** The charset that it names, in lower case; else that of JSON. */
  readonly charset: string;
}

const jsonContentType: ContentType = {
  sent: 'application/json',
  type: 'application/json',
  charset: 'utf-8',
};

const formType = 'application/x-www-form-urlencoded';

function contentTypeOf(headers: Headers): ContentType {
  const sent = headers.get('content-type');
  if (sent === jsonContentType.sent) return jsonContentType;
  const [type = '', ...parameters] = (sent ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return {
    sent,
    type,
    charset: charset?.replace(/^charset="?|"$/g, '') ?? jsonContentType.charset,
  };
}

/**
 * Reads the value of a body, of JSON or of a form; `undefined` if the body is empty, or `blankBody` if its type is JSON.
 * @throws Problem 415 for another content type, 400 for anything but JSON.
 */
async function readValue(headers: Headers, bytes: Bytes, plan: Plan): Promise<unknown> {
  const contentType = contentTypeOf(headers);
  if (bytes.length === 0) return valueOfEmptyBody(contentType, plan);
  // JSON may be sent with the type of a form, so only the bytes say which of the two a body is.
  const mayBeForm = contentType.type === formType;
  if (!mayBeForm) acceptContentType(contentType, errorOfType(contentType), plan);
  const plainBytes = await decompress(bytes, headers, plan);
  const isForm = mayBeForm && !beginsLikeJson(plainBytes);
  if (mayBeForm) acceptContentType(contentType, isForm ? 'body:form' : 'body:type:form', plan);
  const bodyText = decodeByCharset(plainBytes, contentType, plan);
  return isForm ? Object.fromEntries(new URLSearchParams(bodyText)) : readJson(bodyText, plan);
}

function readJson(bodyText: string, plan: Plan): unknown {
  const value = parseBody(bodyText, plan);
  if (value !== unreadableBody) checkSpelling(bodyText, plan);
  refuseDeepJson(value, depthLimit(value, plan.cells['body:deep']));
  if (isBodyOperation(plan.name)) removeInnerProtoKeys(value);
  else refuseProtoKey(value);
  return value;
}

/** What may come before JSON: a byte order mark, white space, and the zero in a letter of UTF-16. */
const bytesBeforeJson: ReadonlySet<number> = new Set([
  0, 0x09, 0x0a, 0x0d, 0x20, 0xbb, 0xbf, 0xef, 0xfe, 0xff,
]);

/** Whether a body begins with a bracket of JSON, in UTF-8 or UTF-16. No more of it is read. */
function beginsLikeJson(bytes: Bytes): boolean {
  const first = bytes.find((byte) => !bytesBeforeJson.has(byte));
  return first === 0x7b || first === 0x5b;
}

/** Removes the key `__proto__` below the fields of a body. As a field, it is an unknown one like any other. */
function removeInnerProtoKeys(body: unknown): void {
  if (!isObject(body)) return;
  for (const [name, value] of Object.entries(body)) {
    const isProfiles = name === 'profiles' && Array.isArray(value);
    const inner = isProfiles ? value.flatMap((profile) => Object.values(Object(profile))) : value;
    removeProtoKey(inner);
  }
}

/** How deep a value may be nested. If a dialect accepts any depth, what no record could hold is cut off. */
function depthLimit(value: unknown, cell: Cell): DepthLimit {
  if (isRefusal(cell)) {
    return { deepest: Math.min(cell.above ?? defaultBodyDepth, maxBodyDepth), refusal: cell };
  }
  cutOff(value, maxBodyDepth);
  return { deepest: maxBodyDepth };
}

/** The value of an empty body. If its content type is JSON, it is an error of its own. */
function valueOfEmptyBody({ type }: ContentType, { name }: Plan): unknown {
  return isBodyOperation(name) && type === jsonContentType.type ? blankBody : undefined;
}

/** Accepts or refuses what is wrong with a content type, and its charset unless that is UTF-8. */
function acceptContentType(
  { sent, charset }: ContentType,
  error: 'body:form' | ErrorIdOf<'body:type'> | undefined,
  { cells }: Plan,
): void {
  const problemWith = (expected: string) => () => headerProblem('content-type', expected, sent);
  if (error !== undefined) acceptOrRefuse(cells, error, problemWith('application/json'));
  if (/^utf-?8$/.test(charset)) return;
  const charsetError = isUtf16(charset) ? 'body:charset:utf-16' : 'body:charset';
  acceptOrRefuse(cells, charsetError, problemWith('the charset utf-8'));
}

function isUtf16(charset: string): boolean {
  return /^utf-?16/.test(charset);
}

/** What is wrong with a content type, of JSON. */
function errorOfType({ type }: ContentType): ErrorIdOf<'body:type'> | undefined {
  if (type === jsonContentType.type) return undefined;
  if (type === '') return 'body:type:none';
  if (type === 'text/plain') return 'body:type:text';
  return type.endsWith('+json') ? 'body:type:vendor' : 'body:type:other';
}

function headerProblem(name: string, expected: string, sentValue: string | null): Problem {
  const got = describeValue(sentValue ?? undefined);
  return new Problem('unsupported-type', { path: `header ${name}`, expected, got });
}

/** The bytes of a body as they were before they were compressed, if they are. */
async function decompress(bytes: Bytes, headers: Headers, plan: Plan): Promise<Bytes> {
  const { cells } = plan;
  const sent = headers.get('content-encoding');
  const encoding = sent?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return bytes;
  const problem = () => headerProblem('content-encoding', 'none', sent);
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    // No dialect accepts another encoding, because the mock could not read it.
    const cell = cells['body:encoding'];
    throw problem().refusedAs(isRefusal(cell) ? cell : undefined);
  }
  acceptOrRefuse(cells, 'body:encoding', problem);
  const body = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(encoding));
  return joinChunks(
    readChunks({ body, bodyUsed: false }, { ...plan.sizeLimit, bytes: maxDecompressed }),
  );
}

/** Maximum size of a body after decompression, in bytes. */
const maxDecompressed = 16 * 1024 * 1024;

/** Decodes a body. If a dialect accepts invalid UTF-8, each invalid byte becomes a replacement character. */
function decodeByCharset(bytes: Uint8Array, { charset }: ContentType, plan: Plan): string {
  // A dialect accepts this charset, or the content type would have been refused.
  if (isUtf16(charset)) {
    return new TextDecoder(charset.endsWith('be') ? 'utf-16be' : 'utf-16le').decode(bytes);
  }
  if (hasByteOrderMark(bytes)) {
    const issue = { path: 'body', expected: 'JSON', got: 'a byte order mark' };
    acceptOrRefuse(plan.cells, 'body:byte-order-mark', () => new Problem('malformed', issue));
  }
  try {
    return decodeBody(bytes);
  } catch (exception) {
    const markedCharset = utf16MarkedIn(bytes);
    const error = markedCharset === undefined ? 'body:bytes' : 'body:byte-order-mark:utf-16';
    acceptOrRefuse(plan.cells, error, () => exception as Problem);
    return new TextDecoder(markedCharset).decode(bytes);
  }
}

function parseBody(bodyText: string, plan: Plan): unknown {
  try {
    return parseJsonBody(bodyText);
  } catch (exception) {
    if (!(exception instanceof Problem)) throw exception;
    const error = isCut(bodyText) ? 'body:cut' : 'body:malformed';
    acceptOrRefuse(plan.cells, error, () => exception);
    return unreadableBody;
  }
}

/** What is accepted or refused in JSON that programs read as if nothing were wrong. */
const spellings = {
  'body:duplicate-key': { is: hasDuplicateKey, expected: 'each key once', got: 'a key twice' },
  'body:number-form': {
    is: hasUnusualWholeNumber,
    expected: 'whole numbers without a fraction or an exponent',
    got: 'another form',
  },
} as const;

function checkSpelling(bodyText: string, { cells }: Plan): void {
  for (const [error, { is, expected, got }] of Object.entries(spellings)) {
    const id = error as keyof typeof spellings;
    // The text is read once more only for services that refuse this.
    if (!isRefusal(cells[id]) || !is(bodyText)) continue;
    acceptOrRefuse(cells, id, () => new Problem('malformed', { path: 'body', expected, got }));
  }
}

/** Whether a body is the beginning of an object, without its end. */
function isCut(bodyText: string): boolean {
  const trimmed = bodyText.trim();
  return trimmed.startsWith('{') && !trimmed.endsWith('}');
}

/** Empties what is nested deeper than a number of levels. */
function cutOff(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (levels > 1) cutOff(child, levels - 1);
    else (value as Record<string, unknown>)[key] = null;
  }
}

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

/**
 * Reads a body, and returns the value of its JSON or form. A body of any method but POST, PATCH and PUT is ignored.
 * @param keep gets its bytes, also if they are refused
 * @throws Problem 413 and 400 as {@link readBytes} does, 415 for another content type, 400 for anything but JSON.
 */
export async function readBody(
  request: Request,
  plan: Plan,
  keep: (bytes: Bytes) => void,
): Promise<unknown> {
  if (!methodsWithBody.has(request.method)) return undefined;
  const bytes = await readBytes(request, plan.sizeLimit);
  if (bytes.length > 0) keep(bytes);
  return readValue(request.headers, bytes, plan);
}

/**
 * Reads the bytes of a request's body.
 * @throws Problem 413 for more bytes than its limit, 400 if the body cannot be read to its end.
 */
export async function readBytes(request: Request, limit: SizeLimit): Promise<Bytes> {
  const declared = request.headers.get('content-length');
  if (declared === null) return joinChunks(readChunks(request, limit));
  if (Number(declared) > limit.bytes) throw bodyTooLarge(limit);
  // A body whose length is known is read at once, which is faster.
  const bytes = new Uint8Array(await request.arrayBuffer().catch(refuseBroken));
  if (bytes.length > limit.bytes) throw bodyTooLarge(limit);
  return bytes;
}

async function joinChunks(chunks: AsyncIterable<Bytes>) {
  const chunksRead: Bytes[] = [];
  for await (const chunk of chunks) chunksRead.push(chunk);
  return new Uint8Array(await new Blob(chunksRead).arrayBuffer());
}

/**
 * Reads the chunks of a body.
 * @throws Problem as {@link readBytes} does.
 */
async function* readChunks({ body, bodyUsed }: Pick<Body, 'body' | 'bodyUsed'>, limit: SizeLimit) {
  if (bodyUsed || body?.locked) refuseBroken();
  const reader = body?.getReader();
  let length = 0;
  try {
    for (;;) {
      const { value: chunk } = (await reader?.read().catch(refuseBroken)) ?? {};
      if (chunk === undefined) return;
      length += chunk.length;
      if (length > limit.bytes) throw bodyTooLarge(limit);
      yield chunk;
    }
  } finally {
    // Nobody waits for this: it ends only when a copy of the request, made by clone(), has been read too.
    reader?.cancel().catch(() => {});
  }
}

function refuseBroken(): never {
  const expected = 'a complete body';
  const got = 'one that ended early, is corrupt or was already read';
  throw new Problem('malformed', { path: 'body', expected, got });
}

/** The message does not say how many bytes came, because not every way to send a request tells that. */
function bodyTooLarge({ bytes, refusal }: SizeLimit): Problem {
  const expected = `at most ${bytes} bytes`;
  return new Problem('too-large', { path: 'body', expected, got: 'more' }).refusedAs(refusal);
}

/**
 * Reads the exported state of at most `limit` bytes in a body.
 * @throws Problem 413 for more bytes, and as {@link readStateLines} does.
 */
export async function readImport(request: Request, limit: number): Promise<ExportedState> {
  try {
    return readStateLines(await readBytes(request, { bytes: limit }));
  } catch (exception) {
    throw exception instanceof Problem ? withAdvice(exception) : exception;
  }
}

/** Adds what to do next. With `-d`, curl removes the line breaks of a file, so all of it is on line 1. */
function withAdvice(problem: Problem): Problem {
  const isLarge = problem.code === 'too-large' && problem.path === 'body';
  if (!isLarge && (problem.code !== 'malformed' || problem.path !== 'line 1')) return problem;
  const advice = isLarge
    ? 'allow more (maxImport, serve --max-import)'
    : 'send the file as it is, with curl by --data-binary @FILE';
  return new Problem(problem.code, ...problem.issues.map((issue) => ({ ...issue, advice })));
}
