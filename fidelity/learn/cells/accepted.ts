import { isDeepStrictEqual } from 'node:util';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { convert, wordsFor } from '../../../interface/accepted.ts';
import type { Acceptance, AcceptedAs } from '../../../interface/cells.ts';
import type { Asked, ListOperation } from '../../../interface/errors.ts';
import type { Json } from '../../../interface/json.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable, unlessBlocked } from '../asking/asking.ts';
import { knownLists, recordOf, severalSessions } from '../asking/sessions.ts';
import {
  findOnPages,
  firstPage,
  newStream,
  plainStream,
  recordIn,
  recordsIn,
  showStream,
  withQuery,
} from '../asking/streams.ts';
import type { Parts } from './requests.ts';

/** A request with a wrong value of a field that was accepted. */
export interface AcceptedField {
  readonly good: Parts;
  readonly response: TargetResponse;
  readonly path: string;
  readonly sent: unknown;
  /** What the stream showed before, where that is not what every new one shows. */
  readonly before: JsonObject | undefined;
}

/** What a stream shows of a field whose wrong value was accepted. */
interface ShownField {
  readonly sent: unknown;
  readonly shown: unknown;
  /** What it shows where the field is left out. */
  readonly omitted: unknown;
  /** Where an array is shorter than what was sent: the words that explain it. */
  readonly dropped?: readonly AcceptedAs[];
}

/** What became of wrong values of a field that were accepted: the first word that explains what is shown of each. */
export async function readFields(
  asking: Asking,
  asked: Asked,
  error: string,
  accepted: readonly AcceptedField[],
): Promise<Acceptance> {
  const seen: ShownField[] = [];
  for (const one of accepted) seen.push(await readField(asking, asked, one));
  const words = wordsFor(asked, error);
  // A row says what is shown then.
  if (words.length === 1 && words[0] === 'kept') return { as: 'kept' };
  const kind = error.split(':').at(-1);
  for (const word of words) {
    if (word === 'constant') {
      const constant = constantOf(seen);
      if (constant !== undefined) return { constant };
    } else if (word !== 'redirect' && explains(word, seen, kind)) return { as: word };
  }
  throw unexpected(words, 'something else');
}

async function readField(
  asking: Asking,
  asked: Asked,
  { good, response, path, sent, before }: AcceptedField,
): Promise<ShownField> {
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  const field = key === undefined ? path : 'profiles';
  const isRecord = field === 'record';
  const now = streamAfter(asking, asked, { good, response }, field);
  const shown = (isRecord ? await recordAfter(asking, now, good) : await now)[field];
  // What a stream shows that has no name is not known.
  const isOpen = asked === 'createStream' && field === 'name';
  const usual = isOpen ? {} : await asking.ask(isRecord ? plainRecord : plainShown);
  const omitted = (before ?? usual)[field];
  const seen = { sent, shown, omitted };
  return key === undefined ? ofWhole(seen) : ofFirstProfile(seen, key);
}

/** A whole field: of an array an element may be dropped, or all of it where that shows the same. */
function ofWhole(seen: ShownField): ShownField {
  const { sent, shown, omitted } = seen;
  const isShorter =
    Array.isArray(shown) && Array.isArray(sent) && shown.length > 0 && shown.length < sent.length;
  if (!isShorter) return seen;
  const isOmitted = isDeepStrictEqual(shown, omitted);
  return { ...seen, dropped: isOmitted ? ['dropped', 'element-dropped'] : ['element-dropped'] };
}

/** A field of the first of two profiles, or that profile where there is no key. */
function ofFirstProfile(seen: ShownField, key: string): ShownField {
  const { sent, shown, omitted } = seen;
  if (isDeepStrictEqual(shown, omitted)) return { ...seen, dropped: ['array-dropped'] };
  const [first, second] = (Array.isArray(shown) ? shown : []) as readonly JsonObject[];
  if (second === undefined) return { ...seen, dropped: ['element-dropped'] };
  return { sent, shown: key === '' ? first : first?.[key], omitted: undefined };
}

/** A stream as it is shown after a request; where nothing else shows it, as its response does. */
async function streamAfter(
  asking: Asking,
  asked: Asked,
  { good, response }: Pick<AcceptedField, 'good' | 'response'>,
  field: string,
): Promise<JsonObject> {
  const told = recordIn(response);
  if (asked === 'createStream' && told !== undefined && field in told) return told;
  const id = asked === 'createStream' ? told?.['id'] : good.stream?.id;
  if (id === undefined) throw new Unsayable('expected the stream that was created, got none');
  const now = showStream(asking, textOf(id));
  return told === undefined ? now : ((await unlessBlocked(now)) ?? told);
}

/** A stream with its `record`, which its next session shows where the stream does not. */
async function withRecord(asking: Asking, shown: JsonObject): Promise<JsonObject> {
  return 'record' in shown ? shown : { ...shown, record: await recordOf(asking, shown) };
}

/** The `record` of a stream after a request, even where nothing shows the stream. */
async function recordAfter(
  asking: Asking,
  now: Promise<JsonObject>,
  { stream }: Parts,
): Promise<JsonObject> {
  if (stream === undefined) return withRecord(asking, await now);
  const { record: _, ...others } = stream.shown;
  return withRecord(asking, (await unlessBlocked(now)) ?? others);
}

/** The `record` of a stream that nothing has switched. */
export const plainRecord: Question<JsonObject> = async (asking) =>
  withRecord(asking, (await newStream(asking)).shown);

const plainShown: Question<JsonObject> = async ({ ask }) => (await ask(plainStream)).shown;

function explains(word: AcceptedAs, seen: readonly ShownField[], kind: string | undefined) {
  const [first, second] = seen;
  // A service may complete what it keeps.
  const isOther = !isDeepStrictEqual(first?.shown, second?.shown);
  if (word === 'kept' && kind === 'given' && second !== undefined && isOther) {
    return seen.some(
      ({ shown, omitted }) => shown !== undefined && !isDeepStrictEqual(shown, omitted),
    );
  }
  return seen.every((one) => explainsOne(word, one, kind));
}

function explainsOne(
  word: AcceptedAs,
  { sent, shown, omitted, dropped }: ShownField,
  kind: string | undefined,
): boolean {
  if (dropped !== undefined) return dropped.includes(word);
  if (word.endsWith('-dropped')) return false;
  if (word === 'dropped') return isDeepStrictEqual(shown, omitted);
  if (word === 'truncated' && kind !== 'fraction') return isPart(shown, sent);
  return isDeepStrictEqual(shown, convert({ as: word }, sent as Json));
}

/** Whether a value is a larger or longer one that was cut off. */
function isPart(shown: unknown, sent: unknown): boolean {
  if (typeof shown === 'string' && typeof sent === 'string') {
    return shown.length < sent.length && sent.startsWith(shown);
  }
  return typeof shown === 'number' && typeof sent === 'number' && shown !== sent;
}

/** The value that is shown whatever was sent. */
function constantOf(seen: readonly ShownField[]): Json | undefined {
  const shown = seen[0]?.shown;
  const isSame = seen.every((one) => !one.dropped && isDeepStrictEqual(one.shown, shown));
  return isSame ? (shown as Json | undefined) : undefined;
}

function unexpected(words: readonly string[], got: string): Unsayable {
  return new Unsayable(`expected one of ${words.join(', ')}, got ${got}`);
}

/** What became of a query parameter that a list accepted. */
export async function readQuery(
  asking: Asking,
  asked: ListOperation,
  error: string,
  responses: readonly TargetResponse[],
): Promise<Acceptance> {
  const pages = responses.map(recordsIn);
  if (!pages.every((page) => page?.isList)) {
    throw new Unsayable('expected a list or a refusal, got something else');
  }
  const words = wordsFor(asked, error);
  const { path } = await asking.ask(knownLists[asked]);
  const { ids } = await firstPage(asking, path);
  if (words.length > 1 && ids.length < 2) throw new Blocked('a list of two records');
  const shown = pages.map((page) => (page?.records ?? []).map(({ id }) => textOf(id)));
  const [only] = words as readonly AcceptedAs[];
  const word =
    words.length === 1 && only !== undefined
      ? only
      : await wordOf(asking, error, { path, ids, shown });
  if (words.includes(word)) return { as: word };
  throw unexpected(words, word);
}

/** A list without a parameter, and what it shows with each value of it. */
interface Listed {
  readonly path: string;
  readonly ids: readonly string[];
  readonly shown: readonly (readonly string[])[];
}

async function wordOf(asking: Asking, error: string, listed: Listed): Promise<AcceptedAs> {
  const { path, ids, shown } = listed;
  const [first = []] = shown;
  const [, name, kind] = error.split(':');
  const keptIfOther = (other: readonly string[]): AcceptedAs =>
    other.join() === first.join() ? 'dropped' : 'kept';
  if (error === 'query:limit:fraction') {
    if (first.length === ids.length) return 'dropped';
    return first.length === 2 ? 'rounded' : 'truncated';
  }
  if (error === 'query:record:given') return recordWord(asking, path);
  if (error === 'query:order:given') {
    // The usual order may be the one that was asked for.
    return keptIfOther((await firstPage(asking, withQuery(path, 'order=createdAt-true'))).ids);
  }
  if (kind === 'given' || name === 'parentId') return keptIfOther(ids);
  return shown.every((one) => one.length === 0) ? 'empty' : 'dropped';
}

/** A list may be the same without the parameter, and new sessions may be on its last page. */
async function recordWord(asking: Asking, path: string): Promise<AcceptedAs> {
  const { unrecorded } = await asking.ask(severalSessions);
  const recordedOnly = path.includes('record=1') ? path : withQuery(path, 'record=1');
  const other = await findOnPages(
    asking,
    recordedOnly,
    ({ id, record }) => record === false || unrecorded.includes(textOf(id)),
  );
  return other === undefined ? 'kept' : 'dropped';
}
