import { isDeepStrictEqual } from 'node:util';
import { Blocked, unlessPrevented } from '../../../conformance/target/failure.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/read-response.ts';
import {
  type Acceptance,
  type AcceptanceKind,
  type AcceptedAs,
  acceptanceKindsFor,
  convert,
  redirectStatuses,
} from '../../../interface/dialect/cells.ts';
import type { ListOperation } from '../../../interface/dialect/errors.ts';
import { isObject, type Json } from '../../../interface/json.ts';
import { textOf } from '../../json-shapes.ts';
import { recordIn } from '../../response-records.ts';
import { isList, knownLists } from '../probing/known-lists.ts';
import { findOnPages, firstPage, pageIn, withQuery } from '../probing/pages.ts';
import { defaultRecordValue, recordValueOf, severalSessions } from '../probing/probed-sessions.ts';
import { currentStream, unchangedStream } from '../probing/probed-streams.ts';
import { Inexpressible, need, type ProbeContext } from '../probing/prober.ts';
import { type AskedCell, type SentRequest, sendWrong } from './wrong-requests.ts';

/** What became of requests that were not refused. */
export async function readAcceptance(asked: AskedCell, sent: readonly SentField[]) {
  const { endpoint, error } = asked;
  const responses = sent.map(({ response }) => response);
  const [head] = error.id.split(':');
  const redirect = redirectStatuses.find((status) =>
    responses.some((one) => one.status === status),
  );
  if (head === 'path' && redirect !== undefined) return { redirect };
  const other = responses.find((response) => !isSuccess(response));
  if (other !== undefined) {
    throw new Inexpressible(`expected a success or a refusal, got ${other.status}`);
  }
  if (head === 'field') return acceptedField(asked, sent);
  const pages = responses.map(pageIn);
  if (isList(endpoint) && !pages.every((page) => page?.isList)) {
    throw new Inexpressible('expected a list or a refusal, got something else');
  }
  const ids = pages.map((page) => page?.ids ?? []);
  if (head === 'query' && isList(endpoint)) return acceptedQuery(asked, endpoint, ids);
  if (/^key:(cut|extended)$/.test(error.id)) await requireOwn(asked, ids.flat());
  const [kind] = acceptanceKindsFor(endpoint, error.id);
  if (kind === undefined || kind === 'constant' || kind === 'redirect') {
    throw new Inexpressible('expected a refusal, got a success');
  }
  const isEmpty = pages.every((page) => page?.records.length === 0);
  if (head !== 'id' || isEmpty === (kind === 'empty')) return { as: kind };
  throw new Inexpressible(`expected ${kind} or a refusal, got something else`);
}

/** Requires that an almost right key shows what the right one does. @throws Blocked if it shows another account */
async function requireOwn({ context, endpoint }: AskedCell, shown: readonly string[]) {
  const { response } = await sendWrong(context, endpoint, []);
  const own = pageIn(response)?.ids ?? [];
  const known = new Set([...own, ...context.creations.streams]);
  // Accounts without streams all look the same.
  const isOwn = own.length === 0 ? endpoint !== 'listStreams' : shown.some((id) => known.has(id));
  if (isOwn) return;
  throw new Blocked(
    'a key that is almost the right one belongs to another account (a mock without --api-key accepts every test key)',
  );
}

/** A request with a wrong value of a field, and its response. */
export interface SentField extends SentRequest {
  /** In `profiles[].width`, the field is in the first of two profiles. */
  readonly path: string;
  readonly value: unknown;
  /** The value of `record` before, if it was set. */
  readonly record: boolean | undefined;
}

/** What a stream shows after a wrong value of a field was accepted. */
type ShownField = Awaited<ReturnType<typeof shownField>>;

/** What happened to wrong values of a field that were accepted: the first kind that explains what is shown. */
async function acceptedField(asked: AskedCell, sent: readonly SentField[]): Promise<Acceptance> {
  const kinds = acceptanceKindsFor(asked.endpoint, asked.error.id);
  // What is shown then is up to a behaviour, or to the service.
  if (kinds.length === 1) return { as: kinds[0] as AcceptedAs };
  const seen: ShownField[] = [];
  for (const one of sent) seen.push(await shownField(asked, one));
  const errorKind = asked.error.id.split(':').at(-1) ?? '';
  const kind = kinds.find((one) => explains(one, seen, errorKind));
  if (kind === undefined) throw unexpected(kinds);
  return kind === 'constant' ? { constant: seen[0]?.shown as Json } : { as: kind as AcceptedAs };
}

/** What was sent, what is shown, and whether that is as if the field had been left out. */
async function shownField(asked: AskedCell, one: SentField) {
  const { path, value: sent, record } = one;
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  const field = key === undefined ? path : 'profiles';
  const shown = await fieldAfter(asked, one, field);
  const isOmitted = isDeepStrictEqual(shown, record ?? (await omitted(asked, field)));
  if (key === undefined) return { sent, shown, isOmitted };
  const items: readonly unknown[] = Array.isArray(shown) && !isOmitted ? shown : [];
  if (items.length < 2) {
    throw new Inexpressible('expected both profiles that were sent, got others');
  }
  const [first] = items;
  const part = key === '' ? first : isObject(first) ? first[key] : undefined;
  return { sent, shown: part, isOmitted: part === undefined };
}

/** A field as a stream shows it after a request, or else as the response shows it. */
async function fieldAfter(
  { context, endpoint }: AskedCell,
  { stream, response }: SentRequest,
  field: string,
): Promise<unknown> {
  const returned = recordIn(response);
  const isCreation = endpoint === 'createStream';
  const before = isCreation ? returned : stream?.shown;
  if (before === undefined) {
    throw new Inexpressible('expected the stream that was created, got none');
  }
  if (isCreation && field in before) return before[field];
  const now = currentStream(context, textOf(before['id']));
  if (field !== 'record') return ((await unlessPrevented(now)) ?? returned ?? (await now))[field];
  const { record: _, ...others } = before;
  return recordValueOf(context, (await unlessPrevented(now)) ?? returned ?? others);
}

/** What a stream shows if a field is left out; unknown for the name. */
async function omitted({ context: { ask }, endpoint }: AskedCell, field: string): Promise<unknown> {
  if (field === 'record') return ask(defaultRecordValue);
  const isOpen = endpoint === 'createStream' && field === 'name';
  return isOpen ? undefined : (await ask(unchangedStream)).shown[field];
}

function explains(kind: AcceptanceKind, seen: readonly ShownField[], errorKind: string): boolean {
  const [first, second] = seen;
  if (first === undefined) return false;
  const isSame = seen.every(({ shown }) => isDeepStrictEqual(shown, first.shown));
  if (kind === 'constant') return isSame && first.shown !== undefined;
  // A service may add to what it keeps.
  if (kind === 'kept' && errorKind === 'given' && second !== undefined && !isSame) {
    return seen.some(({ shown, isOmitted }) => shown !== undefined && !isOmitted);
  }
  if (kind === 'dropped') return seen.every(({ isOmitted }) => isOmitted);
  return seen.every(({ sent, shown }) =>
    isDeepStrictEqual(shown, convert({ as: kind as AcceptedAs }, sent as Json)),
  );
}

function unexpected(kinds: readonly string[]): Inexpressible {
  return new Inexpressible(`expected one of ${kinds.join(', ')}, got something else`);
}

/**
 * What happened to a query parameter that a list accepted.
 * @param listed the ids that it shows with each value
 */
async function acceptedQuery(
  { context, endpoint, error }: AskedCell,
  list: ListOperation,
  listed: readonly (readonly string[])[],
): Promise<Acceptance> {
  const kinds = acceptanceKindsFor(endpoint, error.id) as readonly AcceptedAs[];
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return { as: only };
  const { path } = await context.ask(knownLists[list]);
  const { ids } = await firstPage(context, path);
  need(ids.length >= 2, 'a list of two records');
  const kind = await kindOfQuery(context, path, error.id, listed);
  if (kinds.includes(kind)) return { as: kind };
  throw unexpected(kinds);
}

async function kindOfQuery(
  context: ProbeContext,
  path: string,
  error: string,
  listed: readonly (readonly string[])[],
): Promise<AcceptedAs> {
  const isLike = async (other: string): Promise<boolean> => {
    const { ids } = await firstPage(context, other);
    return listed.every((one) => one.join() === ids.join());
  };
  if (error === 'query:record:given') return recordQuery(context, path);
  // The usual order may be the one that was asked for.
  const other = error === 'query:order:given' ? withQuery(path, 'order=createdAt-true') : path;
  if (/:given$|:parentId:/.test(error)) return (await isLike(other)) ? 'dropped' : 'kept';
  const active = withQuery(path, 'active=true');
  // Any text may count as true.
  if (error.includes(':active:')) return (await isLike(active)) ? 'kept' : 'dropped';
  if (listed.every((ids) => ids.length === 0)) return 'empty';
  // A limit such as 1.5 may count as 1.
  return error.includes(':limit:') && listed[0]?.length === 1 ? 'truncated' : 'dropped';
}

/** A list may be the same without the parameter, and new sessions may be on its last page. */
async function recordQuery(context: ProbeContext, path: string): Promise<AcceptedAs> {
  const { unrecorded } = await context.ask(severalSessions);
  const recordedOnly = path.includes('record=1') ? path : withQuery(path, 'record=1');
  const isOther = ({ id, record }: JsonObject): boolean =>
    record === false || unrecorded.includes(textOf(id));
  const other = await findOnPages(context, recordedOnly, isOther);
  return other === undefined ? 'kept' : 'dropped';
}
