import {
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { get } from '../../../conformance/target/operations.ts';
import { nextQuery } from '../../next-page.ts';
import type { ProbeContext, Question } from './probe.ts';

/** A stream as the list of all shows it; `undefined` where it is on no page that was found. */
export async function findStream(
  context: ProbeContext,
  id: string,
): Promise<JsonObject | undefined> {
  const find: Look<JsonObject> = (listed) => listed.find((stream) => stream['id'] === id);
  return (
    (await lookAtStreams(context, [...queriesForNew, queryForId(id)], find)) ??
    (await followPages(context, await context.ask(lastPage), find)).found
  );
}

/** Queries with which the first page of all streams may show new ones, the plainest first. */
export const queriesForNew: readonly string[] = [
  '',
  '?order=createdAt-true',
  '?limit=1000',
  '?limit=50',
];

/** The query that asks for one record. */
export function queryForId(id: unknown): string {
  return `?filters=${encodeURIComponent(JSON.stringify([{ id: 'id', value: id }]))}`;
}

/** What is found among the records of a list, if anything. */
type Look<Found> = (listed: readonly JsonObject[]) => Found | undefined;

/** Looks at the list of all streams with one query after the other, until something is found. */
export async function lookAtStreams<Found>(
  { send }: ProbeContext,
  queries: readonly string[],
  look: Look<Found>,
): Promise<Found | undefined> {
  for (const query of queries) {
    const response = await send(get(`/stream${query}`));
    const found = isSuccess(response) ? look(readObjects(response)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Pages that are followed at once. */
const mostPages = 50;

/**
 * Looks at a page of all streams and those after it, all together, until something is found.
 * @returns also the query of the last page that it saw
 */
export async function followPages<Found>(
  { send }: ProbeContext,
  start: string,
  look: Look<Found>,
): Promise<{ found: Found | undefined; last: string }> {
  const seen: JsonObject[] = [];
  let last = start;
  for (let query: string | undefined = start, page = 0; query !== undefined; page++) {
    const response = await send(get(`/stream${query}`));
    if (!isSuccess(response)) break;
    last = query;
    seen.push(...readObjects(response));
    const found = look(seen);
    if (found !== undefined) return { found, last };
    query = page < mostPages ? nextQuery(response, query) : undefined;
  }
  return { found: undefined, last };
}

/** The query of the page that was the last one when it was asked for: new streams may be on it, or after it. */
const lastPage: Question<string> = async (context) =>
  (await followPages(context, '', () => undefined)).last;
