import { isDeepStrictEqual } from 'node:util';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import type { CreatedStream } from '../../../conformance/target/operations.ts';
import { convert, wordsFor } from '../../../interface/accepted.ts';
import type { Acceptance, AcceptedAs } from '../../../interface/cells.ts';
import type { Asked } from '../../../interface/errors.ts';
import type { Json } from '../../../interface/json.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { recordIn } from '../asking/records.ts';
import { recordOf } from '../asking/sessions.ts';
import { newStream, plainStream, showStream } from '../asking/streams.ts';
import type { Good } from './requests.ts';

/** What a stream shows of a field whose wrong value was accepted. */
export interface Shown {
  readonly sent: unknown;
  /** `nothing` where the element of the array, or the array, was dropped that holds the field. */
  readonly shown: unknown;
  /** What it shows where the field is left out. */
  readonly omitted: unknown;
  readonly dropped?: 'element-dropped' | 'array-dropped';
}

/** Finds out what a stream shows of a field after a request that was accepted. */
export async function readShown(
  asking: Asking,
  asked: Asked,
  { good, response, path, sent, before: earlier }: Accepted,
): Promise<Shown> {
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  const field = key === undefined ? path : 'profiles';
  const { after, before } = await streamAfter(asking, asked, { good, response }, field);
  const [shown, omitted] = [after[field], (earlier ?? before)[field]];
  if (key === undefined) {
    const isShorter =
      Array.isArray(shown) && Array.isArray(sent) && shown.length > 0 && shown.length < sent.length;
    return { sent, shown, omitted, ...(isShorter && { dropped: 'element-dropped' }) };
  }
  if (isDeepStrictEqual(shown, omitted)) return { sent, shown, omitted, dropped: 'array-dropped' };
  const [first, second] = (Array.isArray(shown) ? shown : []) as readonly JsonObject[];
  if (second === undefined) return { sent, shown, omitted, dropped: 'element-dropped' };
  if (key === '') return { sent, shown: first, omitted: undefined };
  return { sent, shown: first?.[key], omitted: undefined };
}

/** A request that was accepted, and the field that was wrong in it. */
export interface Accepted {
  readonly good: Good;
  readonly response: TargetResponse;
  readonly path: string;
  readonly sent: unknown;
  /** What the stream showed before, where that is not what every new one shows. */
  readonly before?: JsonObject;
}

/** A stream with and without what was sent. */
async function streamAfter(
  asking: Asking,
  asked: Asked,
  sent: Pick<Accepted, 'good' | 'response'>,
  field: string,
): Promise<{ after: JsonObject; before: JsonObject }> {
  const before = await asking.ask(shownPlain(field));
  const after = await withRecord(asking, await streamNow(asking, asked, sent, field), field);
  // What a stream shows that has no name is not known.
  const isOpen = asked === 'createStream' && field === 'name';
  return { after, before: isOpen ? {} : before };
}

/** A stream as it is shown after a request; where nothing else shows it, as its response does. */
async function streamNow(
  asking: Asking,
  asked: Asked,
  { good, response }: Pick<Accepted, 'good' | 'response'>,
  field: string,
): Promise<JsonObject> {
  const told = recordIn(response);
  if (asked === 'createStream' && told !== undefined && field in told) return told;
  const id = asked === 'createStream' ? told?.['id'] : good.stream?.id;
  if (id === undefined) throw new Unsayable('expected the stream that was created, got none');
  return showStream(asking, textOf(id)).catch((error: unknown) => {
    if (error instanceof Blocked && told !== undefined) return told;
    throw error;
  });
}

/** A stream with its `record`, which its next session shows where the stream does not. */
async function withRecord(asking: Asking, shown: JsonObject, field: string): Promise<JsonObject> {
  if (field !== 'record' || 'record' in shown) return shown;
  const { id, streamKey } = shown;
  const stream: CreatedStream = {
    id: textOf(id),
    streamKey: typeof streamKey === 'string' ? streamKey : undefined,
    shown,
  };
  return { ...shown, record: await recordOf(asking, stream) };
}

/** The `record` of a stream that nothing has switched. */
export const plainRecord: Question<JsonObject> = async (asking) =>
  withRecord(asking, (await newStream(asking)).shown, 'record');

const plainShown: Question<JsonObject> = async ({ ask }) => (await ask(plainStream)).shown;

/** What a plain stream shows, with its `record` where that is asked for. */
function shownPlain(field: string): Question<JsonObject> {
  return field === 'record' ? plainRecord : plainShown;
}

/** What became of wrong values that were accepted: the first word that explains what is shown of each. */
export function acceptanceOf(asked: Asked, error: string, seen: readonly Shown[]): Acceptance {
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
  throw new Unsayable(`expected one of ${words.join(', ')}, got something else`);
}

function explains(word: AcceptedAs, seen: readonly Shown[], kind: string | undefined): boolean {
  const [first, second] = seen;
  // A service may complete what it keeps.
  const isOther = !isDeepStrictEqual(first?.shown, second?.shown);
  if (word === 'kept' && kind === 'given' && second !== undefined && isOther) {
    return seen.some(
      ({ shown, omitted }) => shown !== undefined && !isDeepStrictEqual(shown, omitted),
    );
  }
  if (word === 'truncated' && kind === 'fraction') {
    return seen.every(({ sent, shown }) => shown === Math.trunc(Number(sent)));
  }
  return seen.every((one) => explainsOne(word, one));
}

function explainsOne(word: AcceptedAs, { sent, shown, omitted, dropped }: Shown): boolean {
  if (word === 'element-dropped' || word === 'array-dropped') return dropped === word;
  if (dropped !== undefined) return false;
  switch (word) {
    case 'kept':
      return isDeepStrictEqual(shown, sent);
    case 'dropped':
      return isDeepStrictEqual(shown, omitted);
    case 'truncated':
      return isPart(shown, sent);
    default:
      return isDeepStrictEqual(shown, convert({ as: word }, sent as Json));
  }
}

/** Whether a value is a larger or longer one that was cut off. */
function isPart(shown: unknown, sent: unknown): boolean {
  if (typeof shown === 'string' && typeof sent === 'string') {
    return shown.length < sent.length && sent.startsWith(shown);
  }
  return typeof shown === 'number' && typeof sent === 'number' && shown !== sent;
}

/** The value that is shown whatever was sent. */
function constantOf(seen: readonly Shown[]): Json | undefined {
  const [first] = seen;
  const shown = first?.shown;
  if (shown === undefined || first?.dropped !== undefined) return undefined;
  return seen.every((one) => isDeepStrictEqual(one.shown, shown)) ? (shown as Json) : undefined;
}
