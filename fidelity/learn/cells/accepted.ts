import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type Acceptance,
  type AcceptanceKind,
  type AcceptedAs,
  acceptanceKindsFor,
  convert,
} from '../../../interface/dialect/cells.ts';
import type { ListOperation } from '../../../interface/dialect/errors.ts';
import { isObject, type Json } from '../../../interface/json.ts';
import { textOf } from '../../json.ts';
import { recordIn } from '../../response.ts';
import { type Asking, Unsayable, unlessBlocked } from '../asking/asking.ts';
import { knownLists, plainRecord, recordOf, severalSessions } from '../asking/sessions.ts';
import {
  currentStream,
  findOnPages,
  firstPage,
  plainStream,
  withQuery,
} from '../asking/streams.ts';
import type { CellProbe, SentRequest } from './requests.ts';

/** A request with a wrong value of a field, and its response. */
export interface SentField extends SentRequest {
  /** In `profiles[].width`, the field is in the first of two profiles. */
  readonly path: string;
  readonly value: unknown;
  /** The value of `record` before, if it was set. */
  readonly record: boolean | undefined;
}

/** What a stream shows after a wrong value of a field was accepted. */
interface ShownField {
  readonly sent: unknown;
  readonly shown: unknown;
  /** Whether it is as if it had been left out. */
  readonly isOmitted: boolean;
}

/** What happened to wrong values of a field that were accepted: the first word that explains what is shown. */
export async function acceptedField(
  probe: CellProbe,
  sent: readonly SentField[],
): Promise<Acceptance> {
  const words = acceptanceKindsFor(probe.endpoint, probe.error.id);
  // What is shown then is up to a row, or to the service.
  if (words.length === 1) return { as: words[0] as AcceptedAs };
  const seen: ShownField[] = [];
  for (const one of sent) seen.push(await shownField(probe, one));
  const kind = probe.error.id.split(':').at(-1) ?? '';
  const word = words.find((one) => explains(one, seen, kind));
  if (word === undefined) throw unexpected(words);
  return word === 'constant' ? { constant: seen[0]?.shown as Json } : { as: word as AcceptedAs };
}

async function shownField(probe: CellProbe, one: SentField): Promise<ShownField> {
  const { path, value: sent, record } = one;
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  const field = key === undefined ? path : 'profiles';
  const shown = await fieldAfter(probe, one, field);
  const isOmitted = isDeepStrictEqual(shown, record ?? (await omitted(probe, field)));
  if (key === undefined) return { sent, shown, isOmitted };
  const items: readonly unknown[] = Array.isArray(shown) && !isOmitted ? shown : [];
  if (items.length < 2) throw new Unsayable('expected both profiles that were sent, got others');
  const [first] = items;
  const part = key === '' ? first : isObject(first) ? first[key] : undefined;
  return { sent, shown: part, isOmitted: part === undefined };
}

/** A field as a stream shows it after a request, or else as the response shows it. */
async function fieldAfter(
  { asking, endpoint }: CellProbe,
  { stream, response }: SentRequest,
  field: string,
): Promise<unknown> {
  const told = recordIn(response);
  const before = endpoint === 'createStream' ? told : stream?.shown;
  if (before === undefined) throw new Unsayable('expected the stream that was created, got none');
  if (before === told && field in before) return before[field];
  const now = currentStream(asking, textOf(before['id']));
  if (field === 'record') {
    const { record: _, ...others } = before;
    return recordOf(asking, (await unlessBlocked(now)) ?? told ?? others);
  }
  return (told === undefined ? await now : ((await unlessBlocked(now)) ?? told))[field];
}

/** What a stream shows if a field is left out; unknown for the name. */
async function omitted({ asking: { ask }, endpoint }: CellProbe, field: string): Promise<unknown> {
  if (field === 'record') return ask(plainRecord);
  const isOpen = endpoint === 'createStream' && field === 'name';
  return isOpen ? undefined : (await ask(plainStream)).shown[field];
}

function explains(word: AcceptanceKind, seen: readonly ShownField[], kind: string): boolean {
  const [first, second] = seen;
  if (first === undefined) return false;
  const isSame = seen.every(({ shown }) => isDeepStrictEqual(shown, first.shown));
  if (word === 'constant') return isSame && first.shown !== undefined;
  // A service may add to what it keeps.
  if (word === 'kept' && kind === 'given' && second !== undefined && !isSame) {
    return seen.some(({ shown, isOmitted }) => shown !== undefined && !isOmitted);
  }
  if (word === 'dropped') return seen.every(({ isOmitted }) => isOmitted);
  return seen.every(({ sent, shown }) =>
    isDeepStrictEqual(shown, convert({ as: word as AcceptedAs }, sent as Json)),
  );
}

function unexpected(words: readonly string[]): Unsayable {
  return new Unsayable(`expected one of ${words.join(', ')}, got something else`);
}

/**
 * What happened to a query parameter that a list accepted.
 * @param shown the ids that it shows with each value
 */
export async function acceptedQuery(
  { asking, endpoint, error }: CellProbe,
  list: ListOperation,
  shown: readonly (readonly string[])[],
): Promise<Acceptance> {
  const words = acceptanceKindsFor(endpoint, error.id) as readonly AcceptedAs[];
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0) return { as: only };
  const { path } = await asking.ask(knownLists[list]);
  const { ids } = await firstPage(asking, path);
  if (ids.length < 2) throw new Blocked('a list of two records');
  const [, name = '', kind] = error.id.split(':');
  const isValid = kind === 'given' || name === 'parentId';
  const word = await (isValid ? validQuery : invalidQuery)({ asking, name, path, ids, shown });
  if (words.includes(word)) return { as: word };
  throw unexpected(words);
}

/** A parameter of a list that was accepted. */
interface SeenQuery {
  readonly asking: Asking;
  readonly name: string;
  /** The list without it. */
  readonly path: string;
  /** The ids that the list shows without it. */
  readonly ids: readonly string[];
  /** The ids that it shows with each value. */
  readonly shown: readonly (readonly string[])[];
}

async function validQuery({ asking, name, path, ids, shown }: SeenQuery): Promise<AcceptedAs> {
  if (name === 'record') return recordQuery(asking, path);
  // The usual order may be the one that was asked for.
  const otherOrder = withQuery(path, 'order=createdAt-true');
  const other = name === 'order' ? (await firstPage(asking, otherOrder)).ids : ids;
  return other.join() === shown[0]?.join() ? 'dropped' : 'kept';
}

/** A list may be the same without the parameter, and new sessions may be on its last page. */
async function recordQuery(asking: Asking, path: string): Promise<AcceptedAs> {
  const { unrecorded } = await asking.ask(severalSessions);
  const recordedOnly = path.includes('record=1') ? path : withQuery(path, 'record=1');
  const isOther = ({ id, record }: JsonObject): boolean =>
    record === false || unrecorded.includes(textOf(id));
  const other = await findOnPages(asking, recordedOnly, isOther);
  return other === undefined ? 'kept' : 'dropped';
}

async function invalidQuery({ asking, name, path, shown }: SeenQuery): Promise<AcceptedAs> {
  if (name === 'active') {
    // Any text may count as true.
    const active = await firstPage(asking, withQuery(path, 'active=true'));
    return shown.every((one) => one.join() === active.ids.join()) ? 'kept' : 'dropped';
  }
  if (shown.every((one) => one.length === 0)) return 'empty';
  // A limit such as 1.5 may count as 1.
  return name === 'limit' && shown[0]?.length === 1 ? 'truncated' : 'dropped';
}
