import { describeValue, Problem } from '../messages/problem.ts';

/** A record and its place in the order in which records were added. Places are never reused. */
export interface Row<Item> {
  readonly place: number;
  record: Item;
}

/** Rows sorted by place. */
export interface Ordered<Item> {
  rows: Row<Item>[];
  /** The next place. */
  end: number;
}

/** An order without rows. */
export function emptyOrder<Item>(): Ordered<Item> {
  return { rows: [], end: 0 };
}

/** Records that are in their order already. */
export function inOrder<Item>(records: readonly Item[]): Ordered<Item> {
  return { rows: records.map((record, place) => ({ place, record })), end: records.length };
}

/** Adds a row at the end. */
export function addRow<Item>(ordered: Ordered<Item>, row: Row<Item>): void {
  ordered.rows.push(row);
  ordered.end = row.place + 1;
}

/** The records of an order, oldest first. */
export function recordsOf<Item>({ rows }: Ordered<Item>): Item[] {
  return rows.map(({ record }) => record);
}

/** Which part of a list a client asks for. */
export interface PageRequest {
  /** Most records on the page. */
  readonly limit: number;
  /** The {@link Page.next} of the page before. */
  readonly cursor?: string | undefined;
  readonly oldestFirst?: boolean;
  /** What a cursor does that no page returned: it is ignored, or the page is empty; else it is refused. */
  readonly unknownCursor?: 'ignored' | 'empty' | undefined;
  /** Whether a full page has a next one only if there are more records. */
  readonly looksAhead?: boolean;
  /** What cursors say: the place of the last record, or how many records were before. */
  readonly cursors?: 'opaque' | 'offset';
}

/** A part of a list. */
export interface Page<Item> {
  readonly records: readonly Item[];
  /** The cursor of the next page; only on a full page. */
  readonly next?: string;
}

/**
 * A page of the records that `keep` accepts, newest first unless the request says otherwise.
 * @throws Problem 422 for a cursor that no page returned.
 */
export function takePage<Item>(
  { rows, end }: Ordered<Item>,
  page: PageRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { limit, oldestFirst = false, looksAhead = false, cursors } = page;
  const start = readCursor(rows, end, page);
  const most = looksAhead ? limit + 1 : limit;
  const taken: Row<Item>[] = [];
  let { index, skip } = start;
  for (let row = rows[index]; row !== undefined && taken.length < most; row = rows[index]) {
    index += oldestFirst ? 1 : -1;
    if (!keep(row.record)) continue;
    if (skip > 0) skip -= 1;
    else taken.push(row);
  }
  const records = taken.slice(0, limit).map(({ record }) => record);
  if (taken.length < most) return { records };
  const last = taken[limit - 1]?.place ?? 0;
  const next = cursors === 'offset' ? String(start.skip + limit) : `p${last.toString(36)}`;
  return { records, next };
}

/** Where a page begins: at which row, and how many of the accepted records it skips. */
function readCursor(
  rows: readonly Row<unknown>[],
  end: number,
  { cursor, cursors, oldestFirst = false, unknownCursor }: PageRequest,
): { index: number; skip: number } {
  const first = { index: oldestFirst ? 0 : rows.length - 1, skip: 0 };
  if (cursor === undefined) return first;
  const isOffset = cursors === 'offset';
  if (isOffset && /^\d{1,10}$/.test(cursor)) return { ...first, skip: Number(cursor) };
  const isPlace = !isOffset && /^p[0-9a-z]{1,10}$/.test(cursor);
  const place = isPlace ? Number.parseInt(cursor.slice(1), 36) : end;
  if (place < end) {
    const index = oldestFirst
      ? rows.findIndex((row) => row.place > place)
      : rows.findLastIndex((row) => row.place < place);
    return { index, skip: 0 };
  }
  if (unknownCursor === 'ignored') return first;
  if (unknownCursor === 'empty') return { index: -1, skip: 0 };
  throw new Problem('invalid', {
    path: 'query cursor',
    expected: 'one from a Link header',
    got: describeValue(cursor),
    error: cursor === '' ? 'query:cursor:empty' : 'query:cursor:unknown',
  });
}
