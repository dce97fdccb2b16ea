import { describeValue, Problem } from '../messages/problem.ts';
import type { Ordered, OrderedRecord } from './ordered.ts';

/** Which page of a list a client asks for. */
export interface PageRequest {
  /** Maximum number of records on the page. */
  readonly limit: number;
  /** The {@link Page.next} of the previous page. */
  readonly cursor?: string | undefined;
  readonly oldestFirst?: boolean;
  /** What happens to a cursor that no page returned: it is ignored, or leads to an empty page; else it is refused. */
  readonly unknownCursor?: 'ignored' | 'empty' | undefined;
  /** Whether a full page has a next one only if there are more records. */
  readonly looksAhead?: boolean;
  /** What a cursor says: the position of the last record, or how many records came before. */
  readonly cursors?: 'opaque' | 'offset';
}

/** A page of a list. */
export interface Page<Item> {
  readonly records: readonly Item[];
  /** The cursor of the next page. Only a full page has one. */
  readonly next?: string;
}

/**
 * Takes a page of the records that `keep` accepts, newest first unless the request says otherwise.
 * @throws Problem 422 for a cursor that no page returned.
 */
export function takePage<Item>(
  { entries, end }: Ordered<Item>,
  page: PageRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { limit, oldestFirst = false, looksAhead = false, cursors } = page;
  const start = readCursor(entries, end, page);
  const count = looksAhead ? limit + 1 : limit;
  const pageEntries: OrderedRecord<Item>[] = [];
  let { index, skip } = start;
  while (pageEntries.length < count) {
    const entry = entries[index];
    if (entry === undefined) break;
    index += oldestFirst ? 1 : -1;
    if (!keep(entry.record)) continue;
    if (skip > 0) skip -= 1;
    else pageEntries.push(entry);
  }
  const records = pageEntries.slice(0, limit).map(({ record }) => record);
  if (pageEntries.length < count) return { records };
  const lastPosition = pageEntries[limit - 1]?.position ?? 0;
  const next = cursors === 'offset' ? String(start.skip + limit) : `p${lastPosition.toString(36)}`;
  return { records, next };
}

/** Where a page begins: at which entry, and how many of the accepted records it skips. */
function readCursor(
  entries: readonly OrderedRecord<unknown>[],
  end: number,
  { cursor, cursors, oldestFirst = false, unknownCursor }: PageRequest,
): { index: number; skip: number } {
  const firstPage = { index: oldestFirst ? 0 : entries.length - 1, skip: 0 };
  if (cursor === undefined) return firstPage;
  const isOffset = cursors === 'offset';
  if (isOffset && /^\d{1,10}$/.test(cursor)) return { ...firstPage, skip: Number(cursor) };
  const isPosition = !isOffset && /^p[0-9a-z]{1,10}$/.test(cursor);
  const position = isPosition ? Number.parseInt(cursor.slice(1), 36) : end;
  if (position < end) {
    const index = oldestFirst
      ? entries.findIndex((entry) => entry.position > position)
      : entries.findLastIndex((entry) => entry.position < position);
    return { index, skip: 0 };
  }
  if (unknownCursor === 'ignored') return firstPage;
  if (unknownCursor === 'empty') return { index: -1, skip: 0 };
  const error = cursor === '' ? 'query:cursor:empty' : 'query:cursor:unknown';
  const issue = { path: 'query cursor', expected: 'a cursor from an earlier page', error } as const;
  throw new Problem('invalid', { ...issue, got: describeValue(cursor) });
}
