import { isDeepStrictEqual } from 'node:util';
import {
  type Acceptance,
  type AcceptanceKind,
  type AcceptedAs,
  convert,
  redirectStatuses,
} from '../../../interface/dialect/cells.ts';
import type { ErrorId, ListOperation } from '../../../interface/dialect/errors.ts';
import { isObject, type Json } from '../../../interface/json.ts';
import type { TargetResponse } from '../../../target/requests/exchange.ts';
import { Blocked, unlessPrevented } from '../../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import { textOf } from '../../json-shapes.ts';
import { keyOfProfile } from '../../operation-calls.ts';
import { itemIn } from '../../response-items.ts';
import { isList, knownLists } from '../probing/known-lists.ts';
import { findOnPages, firstPage, pageIn, withQuery } from '../probing/pages.ts';
import { waitFor } from '../probing/poll.ts';
import { defaultRecordValue, recordValueOf, severalSessions } from '../probing/probed-sessions.ts';
import { currentStream, unchangedStream } from '../probing/probed-streams.ts';
import { Inexpressible, need, type ProbeContext } from '../probing/prober.ts';
import { type CellQuestion, type SentRequest, sendWrong } from './wrong-requests.ts';

/** What became of requests that were not refused. */
export async function readAcceptance(question: CellQuestion, sent: readonly SentField[]) {
  const { endpoint, error } = question;
  const responses = sent.map(({ response }) => response);
  const [head] = error.id.split(':');
  const redirect = redirectStatuses.find((status) =>
    responses.some((response) => response.status === status),
  );
  if (head === 'path' && redirect !== undefined) return { redirect };
  requireSuccesses(responses);
  if (head === 'field') return acceptedField(question, sent);
  const pages = responses.map(pageIn);
  if (isList(endpoint) && !pages.every((page) => page?.isList)) {
    throw new Inexpressible('expected a list or a refusal, got something else');
  }
  const ids = pages.map((page) => page?.ids ?? []);
  if (head === 'query' && isList(endpoint)) return acceptedQuery(question, endpoint, ids);
  if (/^key:(cut|extended)$/.test(error.id)) await requireOwnAccount(question, ids.flat());
  const [kind] = error.acceptances;
  if (kind === undefined || kind === 'constant' || kind === 'redirect') {
    throw new Inexpressible('expected a refusal, got a success');
  }
  if (error.acceptances.includes('carried-out')) {
    return { as: (await isEffective(question, sent)) ? 'carried-out' : 'done' } as const;
  }
  const isEmpty = pages.every((page) => page?.items.length === 0);
  if (head !== 'id' || isEmpty === (kind === 'empty')) return { as: kind };
  throw new Inexpressible(`expected ${kind} or a refusal, got something else`);
}

/** @throws Inexpressible for a response that is neither a success nor a refusal */
function requireSuccesses(responses: readonly TargetResponse[]): void {
  const failure = responses.find((response) => !isSuccess(response));
  if (failure === undefined) return;
  throw new Inexpressible(`expected a success or a refusal, got ${failure.status}`);
}

/**
 * Whether requests that succeeded also did what they say, to what their ids name.
 * @throws Blocked if nothing shows that
 */
async function isEffective({ context, endpoint }: CellQuestion, sent: readonly SentField[]) {
  const effects: boolean[] = [];
  for (const { call, before, lookAgain } of sent) {
    const shownBefore = need(before, 'the current state of a stream or session: nothing shows it');
    const isDeletion = endpoint === 'deleteStream';
    // A session that is now recorded may be hidden until its recording is ready.
    const after = isDeletion ? await lookAgain() : await waitFor(context, lookAgain);
    const changes = Object.entries(isObject(call.body) ? call.body : {}).filter(
      ([field, value]) => field in shownBefore && !isDeepStrictEqual(shownBefore[field], value),
    );
    need(isDeletion || changes.length > 0, 'a field with another value than the one that is sent');
    effects.push(
      isDeletion
        ? after === undefined
        : changes.every(([field, value]) => isDeepStrictEqual(after?.[field], value)),
    );
  }
  return effects.every(Boolean);
}

/** Requires that an almost right key shows what the right one does. @throws Blocked if it shows another account */
async function requireOwnAccount({ context, endpoint }: CellQuestion, ids: readonly string[]) {
  const { response } = await sendWrong(context, endpoint, []);
  const ownIds = pageIn(response)?.ids ?? [];
  const knownIds = new Set([...ownIds, ...context.creations.streams]);
  // Accounts without streams all look the same.
  const listsKnown = ids.some((id) => knownIds.has(id));
  const isOwn = ownIds.length === 0 ? endpoint !== 'listStreams' : listsKnown;
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
async function acceptedField(question: CellQuestion, sent: readonly SentField[]) {
  const kinds = question.error.acceptances;
  // What is shown then is up to a behaviour, or to the service.
  if (kinds.length === 1) return { as: kinds[0] as AcceptedAs };
  const fields: ShownField[] = [];
  for (const field of sent) fields.push(await shownField(question, field));
  const errorKind = question.error.id.split(':').at(-1) ?? '';
  const kind = kinds.find((candidate) => explains(candidate, fields, errorKind));
  if (kind === undefined) throw unexpected(kinds);
  if (kind !== 'constant') return { as: kind as AcceptedAs };
  return { constant: fields[0]?.shownValue as Json };
}

/** What was sent, what is shown, and whether that is as if the field had been left out. */
async function shownField(question: CellQuestion, request: SentField) {
  const { path, value: sentValue, record } = request;
  const key = keyOfProfile(path);
  const field = key === undefined ? path : 'profiles';
  const shown = await fieldAfter(question, request, field);
  const isOmitted = isDeepStrictEqual(shown, record ?? (await omittedValue(question, field)));
  if (key === undefined) return { sentValue, shownValue: shown, isOmitted };
  const items: readonly unknown[] = Array.isArray(shown) && !isOmitted ? shown : [];
  if (items.length < 2) {
    throw new Inexpressible('expected both profiles that were sent, got others');
  }
  const [first] = items;
  const shownValue = key === '' ? first : isObject(first) ? first[key] : undefined;
  return { sentValue, shownValue, isOmitted: shownValue === undefined };
}

/** A field as a stream shows it after a request, or else as the response shows it. */
async function fieldAfter(
  { context, endpoint }: CellQuestion,
  { stream, response }: SentRequest,
  field: string,
): Promise<unknown> {
  const returned = itemIn(response);
  const isCreation = endpoint === 'createStream';
  const before = isCreation ? returned : stream?.fields;
  if (before === undefined) {
    throw new Inexpressible('expected the stream that was created, got none');
  }
  if (isCreation && field in before) return before[field];
  const after = currentStream(context, textOf(before['id']));
  if (field !== 'record')
    return ((await unlessPrevented(after)) ?? returned ?? (await after))[field];
  const { record: _, ...withoutRecord } = before;
  return recordValueOf(context, (await unlessPrevented(after)) ?? returned ?? withoutRecord);
}

/** What a stream shows if a field is left out; unknown for the name. */
async function omittedValue({ context, endpoint }: CellQuestion, field: string) {
  if (field === 'record') return context.ask(defaultRecordValue);
  const isOpen = endpoint === 'createStream' && field === 'name';
  if (isOpen) return undefined;
  const { id, fields } = await context.ask(unchangedStream);
  // The response to a creation may leave out what was not sent.
  return field in fields
    ? fields[field]
    : (await unlessPrevented(currentStream(context, id)))?.[field];
}

function explains(kind: AcceptanceKind, fields: readonly ShownField[], errorKind: string): boolean {
  const [first, second] = fields;
  if (first === undefined) return false;
  const isSame = fields.every(({ shownValue }) => isDeepStrictEqual(shownValue, first.shownValue));
  if (kind === 'constant') return isSame && first.shownValue !== undefined;
  // A service may add to what it keeps.
  if (kind === 'kept' && errorKind === 'given' && second !== undefined && !isSame) {
    return fields.some(({ shownValue, isOmitted }) => shownValue !== undefined && !isOmitted);
  }
  if (kind === 'dropped') return fields.every(({ isOmitted }) => isOmitted);
  const word = kind as AcceptedAs;
  return fields.every(({ sentValue, shownValue }) =>
    shows(shownValue, convert({ as: word }, sentValue as Json)),
  );
}

/** Whether a value is shown, perhaps with more keys: a service may add to an object that it keeps. */
function shows(shown: unknown, value: unknown): boolean {
  const entries = isObject(shown) && isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return isDeepStrictEqual(shown, value);
  return entries.every(([key, inner]) => isDeepStrictEqual(Object(shown)[key], inner));
}

function unexpected(kinds: readonly string[]): Inexpressible {
  return new Inexpressible(`expected one of ${kinds.join(', ')}, got something else`);
}

/**
 * What happened to a query parameter that a list accepted.
 * @param listed the ids that it shows with each value
 */
async function acceptedQuery(
  { context, error }: CellQuestion,
  list: ListOperation,
  listed: readonly (readonly string[])[],
): Promise<Acceptance> {
  const kinds = error.acceptances as readonly AcceptedAs[];
  const [onlyKind] = kinds;
  if (onlyKind !== undefined && kinds.length === 1) return { as: onlyKind };
  const { path } = await context.ask(knownLists[list]);
  const { ids } = await firstPage(context, path);
  need(ids.length >= 2, 'a list of two items');
  const kind = await kindOfQuery(context, path, error.id, listed);
  if (kinds.includes(kind)) return { as: kind };
  throw unexpected(kinds);
}

async function kindOfQuery(
  context: ProbeContext,
  path: string,
  error: ErrorId,
  listed: readonly (readonly string[])[],
): Promise<AcceptedAs> {
  const isLike = async (address: string): Promise<boolean> => {
    const { ids } = await firstPage(context, address);
    return listed.every((listedIds) => listedIds.join() === ids.join());
  };
  if (error === 'query:record:given') return recordQuery(context, path);
  // The usual order may be the one that was asked for.
  const reference = error === 'query:order:given' ? withQuery(path, 'order=createdAt-true') : path;
  if (/:given$|:parentId:/.test(error)) return (await isLike(reference)) ? 'dropped' : 'kept';
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
  const isUnrecorded = ({ id, record }: JsonObject): boolean =>
    record === false || unrecorded.includes(textOf(id));
  const unexpectedSession = await findOnPages(context, recordedOnly, isUnrecorded);
  return unexpectedSession === undefined ? 'kept' : 'dropped';
}
