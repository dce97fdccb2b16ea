import { isObject } from '../../interface/json.ts';
import { jsonOf } from '../requests/bounded-json.ts';
import { callTarget } from '../requests/call.ts';
import type { Evidence } from '../requests/evidence.ts';
import type { TargetResponse } from '../requests/exchange.ts';
import { CheckFailure, fail, NoResponse, unlessPrevented } from '../requests/failure.ts';
import { isRefused, isSuccess, readId } from '../requests/read-response.ts';
import { withMarkedName } from '../requests/run-names.ts';
import type { Target } from '../requests/target.ts';
import { creationPath } from '../requests/well-known.ts';
import type { Caller } from './stream-requests.ts';

/** What a run has created on the target, so that it can be deleted at the end. */
export type Creations = ReturnType<typeof startCreations>;

/** The creations of a run that has not created anything yet. */
export function startCreations() {
  return {
    /** Ids of streams, in the order of their creation. */
    streams: [] as string[],
    /** Ids of streams that went live and may have sessions. */
    live: new Set<string>(),
    /** Requests under way that may create something, with the names of the new streams. */
    underWay: new Map<Promise<unknown>, string>(),
    /** Ids that creations returned and that are not touched, with the reason. */
    untouched: new Map<string, string>(),
    /** What requests may have created but cannot be deleted: each in words, and how often. */
    unknown: new Map<string, number>(),
    /** How many creations succeeded, but showed no id that is the run's. */
    unusable: 0,
    /** Which values of record new streams showed that were created without it: for each, the first response. */
    defaultRecords: {
      withProfiles: new Map<boolean, TargetResponse>(),
      withoutProfiles: new Map<boolean, TargetResponse>(),
    },
  };
}

/** Notes which record a new stream shows, if its creation does not say it. */
function noteDefaultRecord(
  { defaultRecords }: Creations,
  body: unknown,
  response: TargetResponse,
): void {
  const created = jsonOf(response);
  if (!isObject(body) || 'record' in body || !isObject(created)) return;
  const kind = 'profiles' in body ? 'withProfiles' : 'withoutProfiles';
  const { record } = created;
  const shown = defaultRecords[kind];
  if (typeof record === 'boolean' && !shown.has(record)) shown.set(record, response);
}

/** Notes what a request may have created but cannot be deleted. */
export function noteUnknown({ unknown }: Pick<Creations, 'unknown'>, words: string): void {
  unknown.set(words, (unknown.get(words) ?? 0) + 1);
}

/** Notes that a creation may have made a stream; its name is how a person finds it. */
function notePossibleStream(creations: Creations, body: unknown, why: string): void {
  noteUnknown(creations, `possibly a stream${named(nameIn(body))}: ${why}`);
}

/**
 * Returns a function that sends requests to the interface and keeps track of the streams that they create and
 * delete. It marks the names of new streams. A first creation is followed by another one at once: only two show that
 * each gets a stream of its own.
 */
export function createCaller(
  target: Target,
  creations: Creations,
  note?: (exchange: Evidence) => void,
): Caller {
  const { streams, underWay, untouched } = creations;
  const { gate } = target;
  /** Notes what a creation returned or may have made that is not the run's. */
  const noteForeign = (id: string | undefined, body: unknown, response: TargetResponse): void => {
    if (isRefused(response)) return;
    if (!isSuccess(response)) {
      const why = `the response to its creation had status ${response.status}`;
      notePossibleStream(creations, body, why);
      return;
    }
    creations.unusable += 1;
    const reason = gate.whyNotOwn(id);
    if (id === undefined || reason === undefined) {
      notePossibleStream(creations, body, 'the response to its creation had no usable id');
      return;
    }
    untouched.set(id, reason);
    const place = streams.indexOf(id);
    if (place !== -1) streams.splice(place, 1);
  };
  /** Sends a creation; what it creates may not be the run's yet. */
  const sendCreation: typeof callTarget = async (...call) => {
    const [, { body }] = call;
    const response = await callTarget(...call).catch((exception: unknown) => {
      if (mayHaveArrived(exception)) {
        notePossibleStream(creations, body, 'the response to its creation could not be read');
      }
      throw exception;
    });
    const id = readId(response);
    const isOwn = id !== undefined && (gate.owns(id) || gate.needsAnother(id));
    if (isOwn) {
      streams.push(id);
      noteDefaultRecord(creations, body, response);
    } else noteForeign(id, body, response);
    return response;
  };
  const create: Caller = async (request) => {
    const response = await sendCreation(target, request, note);
    const id = readId(response);
    if (gate.needsAnother(id)) {
      const another = { name: 'a second stream, to see that each has an id of its own' };
      const call = { method: 'POST', path: '/stream', body: withMarkedName(another) };
      await unlessPrevented(sendCreation(target, call));
    }
    if (!id || gate.owns(id)) return response;
    const reason = gate.whyNotOwn(id);
    return fail(
      reason === undefined
        ? 'id of a new stream: expected one that no stream had before and that fits into a path'
        : `id of a new stream: expected one that no stream had before, but ${reason}`,
      response,
    );
  };
  const remove: Caller = async (request) => {
    const response = await callTarget(target, request, note);
    // A target may know other spellings of the path, such as `/STREAM/abc/`.
    const [, segment] = /^\/stream\/([^/]+)\/?$/i.exec(request.path) ?? [];
    const index = streams.findIndex((id) => encodeURIComponent(id.toWellFormed()) === segment);
    if (isSuccess(response) && index !== -1) streams.splice(index, 1);
    return response;
  };
  return (request) => {
    if (request.method === 'DELETE') return remove(request);
    if (request.method !== 'POST' || !creationPath.test(request.path)) {
      return callTarget(target, request, note);
    }
    const marked = { ...request, body: withMarkedName(request.body) };
    const creation: ReturnType<Caller> = create(marked).finally(() => underWay.delete(creation));
    underWay.set(creation, nameIn(marked.body));
    return creation;
  };
}

/** The name in the body of a creation, or an empty text. */
function nameIn(body: unknown): string {
  return isObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
}

/** How a line names a stream; empty without a name. */
export function named(name: string): string {
  return name === '' ? '' : ` named ${JSON.stringify(name)}`;
}

/**
 * Codes of exceptions that mean that the request did not reach the target, or was refused: a target that asks to send it again,
 * by 429 or by 503 with `Retry-After`, has not done what it asks for.
 */
const notArrived =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|429|503|STOPPED)$|CERT|TLS|SSL|^UNABLE_TO/;

/** Whether a request that got no usable response may have reached the target. */
export function mayHaveArrived(exception: unknown): boolean {
  if (exception instanceof NoResponse) return !notArrived.test(exception.code ?? '');
  return exception instanceof CheckFailure;
}
