import { describeValue, Problem } from '../problems/problem.ts';

/** A record and its place in the order in which records were added. Places are never reused. */
export interface Row<Item> {
  readonly place: number;
  /** The current record; `undefined` once it is deleted. */
  record: Item | undefined;
}

/** Rows sorted by place. Rows of deleted records are removed once they outnumber the others. */
export interface Ordered<Item> {
  rows: Row<Item>[];
  deleted: number;
  /** The next place. */
  end: number;
}

/** An order without rows. */
export function emptyOrder<Item>(): Ordered<Item> {
  return { rows: [], deleted: 0, end: 0 };
}

/** Adds a row at the end. */
export function addRow<Item>(ordered: Ordered<Item>, row: Row<Item>): void {
  ordered.rows.push(row);
  ordered.end = row.place + 1;
}

/** The records of an order, oldest first. */
export function recordsOf<Item>({ rows }: Ordered<Item>): Item[] {
  const records: Item[] = [];
  for (const { record } of rows) if (record !== undefined) records.push(record);
  return records;
}

/** Notes that `count` records were deleted. Their rows are removed together later, as removing one moves all after it. */
export function noteDeleted<Item>(ordered: Ordered<Item>, count: number): void {
  ordered.deleted += count;
  while (ordered.rows.length > 0 && ordered.rows.at(-1)?.record === undefined) {
    ordered.rows.pop();
    ordered.deleted -= 1;
  }
  if (ordered.deleted <= ordered.rows.length / 2) return;
  ordered.rows = ordered.rows.filter(({ record }) => record !== undefined);
  ordered.deleted = 0;
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
  ordered: Ordered<Item>,
  page: PageRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { rows } = ordered;
  const { limit, oldestFirst = false, looksAhead = false, cursors } = page;
  if (cursors === 'offset') return takePageAt(ordered, page, keep, offsetOf(page));
  const records: Item[] = [];
  let last = 0;
  const step = oldestFirst ? 1 : -1;
  for (let index = startIndex(ordered, page); index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row?.record === undefined || !keep(row.record)) continue;
    if (records.length === limit) return { records, next: last.toString(36) };
    records.push(row.record);
    last = row.place;
    if (records.length === limit && !looksAhead) return { records, next: last.toString(36) };
  }
  return { records };
}

/** A page after so many records, whose cursor counts them. */
function takePageAt<Item>(
  ordered: Ordered<Item>,
  { limit, oldestFirst = false, looksAhead = false }: PageRequest,
  keep: (record: Item) => boolean,
  offset: number,
): Page<Item> {
  const kept = recordsOf(ordered).filter(keep);
  const inOrder = oldestFirst ? kept : kept.toReversed();
  const end = offset + limit;
  const records = inOrder.slice(offset, end);
  const hasNext = looksAhead ? inOrder.length > end : records.length === limit;
  return hasNext ? { records, next: String(end) } : { records };
}

/** How many records come before a page whose cursor says so; one that is no number is as any unknown one. */
function offsetOf({ cursor, unknownCursor }: PageRequest): number {
  if (cursor === undefined || /^\d{1,10}$/.test(cursor)) return Number(cursor ?? 0);
  if (unknownCursor === undefined) throw unknownCursorProblem(cursor);
  return unknownCursor === 'ignored' ? 0 : Number.POSITIVE_INFINITY;
}

function unknownCursorProblem(cursor: string): Problem {
  return new Problem('invalid', {
    path: 'query cursor',
    expected: 'one from a Link header',
    got: describeValue(cursor),
    error: cursor === '' ? 'query:cursor:empty' : 'query:cursor:unknown',
  });
}

/** The index of the first row of a page: the next one beyond the cursor's place. */
function startIndex(
  { rows, end }: Ordered<unknown>,
  { cursor, oldestFirst = false, unknownCursor }: PageRequest,
): number {
  const first = oldestFirst ? 0 : rows.length - 1;
  if (cursor === undefined) return first;
  const place = /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : end;
  if (place >= end) {
    if (unknownCursor !== undefined) return unknownCursor === 'ignored' ? first : -1;
    throw unknownCursorProblem(cursor);
  }
  const at = indexOfPlace(rows, oldestFirst ? place + 1 : place);
  return oldestFirst ? at : at - 1;
}

/** The index of the first row at a place or after it. */
function indexOfPlace(rows: readonly Row<unknown>[], place: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.place ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
