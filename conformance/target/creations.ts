import type { Exchange } from '../model/report.ts';
import { isSuccess } from './expectations.ts';
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
}

/** Nothing is created yet. */
export function startCreations(): Creations {
  return { streams: [], live: new Set(), underWay: new Set() };
}

/** A function that sends requests to the interface and remembers the streams that they create and do not delete. */
export function createCaller(
  target: Target,
  { streams, underWay }: Creations,
  note: (exchange: Exchange) => void,
): Caller {
  const create: Caller = async (request) => {
    const response = await callTarget(target, request, note);
    const id = readId(response);
    if (id) streams.push(id);
    return response;
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

/** Requests that are kept as evidence: the last ones led to the result. */
const evidenceKept = 5;

/** Notes exchanges in a list that keeps the last ones; a check may send thousands. */
export function keepLast(exchanges: Exchange[]): (exchange: Exchange) => void {
  return (exchange) => {
    exchanges.push(exchange);
    if (exchanges.length > evidenceKept) exchanges.shift();
  };
}
