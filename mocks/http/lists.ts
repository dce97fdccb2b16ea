import { pageLimit } from '../../interface/operations.ts';
import { jsonTextResponse, type PlainResponse } from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { Page, PageRequest } from '../state/ordered.ts';

/**
 * The page of a list that a request asks for.
 * @throws Problem 422 for a limit out of its range.
 */
export function readPaging({ searchParams }: URL): PageRequest {
  const given = searchParams.get('limit');
  const cursor = searchParams.get('cursor');
  const limit = Number(given ?? pageLimit.default);
  const { minimum, maximum } = pageLimit;
  if (!/^\d*$/.test(given ?? '') || limit < minimum || limit > maximum) {
    throw new Problem('invalid', {
      path: 'query limit',
      expected: `a whole number from ${minimum} to ${maximum}`,
      got: describeValue(given),
    });
  }
  return { limit, ...(cursor !== null && { cursor }) };
}

/** The value of the query parameter `record`; `undefined` where it restricts nothing. */
export function readRecordFilter({ searchParams }: URL): boolean | undefined {
  return recordValues.get(searchParams.get('record') ?? '');
}

const recordValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** The response with a page of a list, and a link to the next page after a full one. */
export function pageResponse<Item>(
  url: URL,
  { records, next }: Page<Item>,
  write: (record: Item) => string,
): PlainResponse {
  const text = ['['];
  for (const record of records) text.push(text.length > 1 ? ',' : '', write(record));
  text.push(']');
  if (next === undefined) return jsonTextResponse(200, text);
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}
