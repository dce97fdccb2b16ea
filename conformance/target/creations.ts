import type { Evidence } from '../model/report.ts';
import { fail, isSuccess } from './expectations.ts';
import { isOfTarget, NoResponse } from './failure.ts';
import { creationPath } from './gate.ts';
import { type Caller, readId } from './operations.ts';
import { callTarget, type Target } from './target.ts';

/** What a run creates on the target, so that it can be cleaned up. */
export interface Creations {
  /** Ids of streams, in the order of their creation. */
  readonly streams: string[];
  /** Ids of streams that went live, and so may have sessions. */
  readonly live: Set<string>;
  /** Requests under way that may create something. */
  readonly underWay: Set<Promise<unknown>>;
  /** What requests may have created that cannot be deleted, in lines. */
  readonly unknown: Set<string>;
}

/** Nothing is created yet. */
export function startCreations(): Creations {
  return { streams: [], live: new Set(), underWay: new Set(), unknown: new Set() };
}

/** A function that sends requests to the interface and remembers the streams that they create and do not delete. */
export function createCaller(
  target: Target,
  { streams, underWay, unknown }: Creations,
  note: (exchange: Evidence) => void,
): Caller {
  const create: Caller = async (request) => {
    const noteUnread = (): void => {
      if (!creationPath.test(request.path)) return;
      unknown.add('perhaps streams, as a creation had no response that could be read');
    };
    const response = await callTarget(target, request, note).catch((error: unknown) => {
      if (mayHaveArrived(error)) noteUnread();
      throw error;
    });
    const id = readId(response);
    if (id === undefined && isSuccess(response)) noteUnread();
    if (id && target.gate.owns(id)) streams.push(id);
    if (id === undefined || target.gate.owns(id) || request.path !== '/stream') return response;
    unknown.add('perhaps streams, as a creation gave no new id that fits into a path');
    if (id === '') return response;
    return fail(
      'id of a new stream: expected one that no stream had before and that fits into a path, got another',
      response,
    );
  };
  const remove: Caller = async (request) => {
    const response = await callTarget(target, request, note);
    // An id that fits into no path must not throw here.
    const pathOf = (id: string): string => `/stream/${encodeURIComponent(id.toWellFormed())}`;
    const place = streams.findIndex((id) => request.path === pathOf(id));
    if (isSuccess(response) && place !== -1) streams.splice(place, 1);
    return response;
  };
  return (request) => {
    if (request.method === 'DELETE') return remove(request);
    if (request.method !== 'POST') return callTarget(target, request, note);
    const creation: ReturnType<Caller> = create(request).finally(() => underWay.delete(creation));
    underWay.add(creation);
    return creation;
  };
}

/** Codes of errors after which a target has not got the request, or has refused it. */
const notArrived = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|429|STOPPED)$|CERT|TLS|SSL|^UNABLE_TO/;

function mayHaveArrived(error: unknown): boolean {
  return isOfTarget(error) && !(error instanceof NoResponse && notArrived.test(error.code ?? ''));
}

/** Requests that are kept as evidence: the last ones led to the result. */
const evidenceKept = 5;

/** Notes exchanges in a list that keeps the last ones; a check may send thousands. */
export function keepLast(exchanges: Evidence[]): (exchange: Evidence) => void {
  return (exchange) => {
    exchanges.push(exchange);
    if (exchanges.length > evidenceKept) exchanges.shift();
  };
}
