import { describeValue, Problem } from '../problems/problem.ts';

/** A record and its place in the order in which records were added. Places are never reused. */
export interface Row<Fact> {
  readonly place: number;
  /** The current record; `undefined` once it is deleted. */
  fact: Fact | undefined;
}

/** Rows sorted by place. Rows of deleted records are removed once they outnumber the others. */
export interface Ordered<Fact> {
  rows: Row<Fact>[];
  deleted: number;
  /** The next place. */
  end: number;
}

/** An order without rows. */
export function emptyOrder<Fact>(): Ordered<Fact> {
  return { rows: [], deleted: 0, end: 0 };
}

/** Adds a row at the end. */
export function addRow<Fact>(ordered: Ordered<Fact>, row: Row<Fact>): void {
  ordered.rows.push(row);
  ordered.end = row.place + 1;
}

/** The records of an order, oldest first. */
export function factsOf<Fact>({ rows }: Ordered<Fact>): Fact[] {
  const facts: Fact[] = [];
  for (const { fact } of rows) if (fact !== undefined) facts.push(fact);
  return facts;
}

/** Notes that `count` records were deleted. Their rows are removed together later, as removing one moves all after it. */
export function noteDeleted<Fact>(ordered: Ordered<Fact>, count: number): void {
  ordered.deleted += count;
  while (ordered.rows.length > 0 && ordered.rows.at(-1)?.fact === undefined) {
    ordered.rows.pop();
    ordered.deleted -= 1;
  }
  if (ordered.deleted <= ordered.rows.length / 2) return;
  ordered.rows = ordered.rows.filter(({ fact }) => fact !== undefined);
  ordered.deleted = 0;
}

/** Which part of a list a client asks for. */
export interface PageRequest {
  /** Most records on the page. */
  readonly limit: number;
  /** The {@link Page.next} of the page before. */
  readonly cursor?: string;
}

/** A part of a list, newest first. */
export interface Page<Fact> {
  readonly records: readonly Fact[];
  /** The cursor of the next page; only on a full page. */
  readonly next?: string;
}

/**
 * A page, newest first, of the records that `keep` accepts.
 * @throws Problem 422 for a cursor that no page returned.
 */
export function takePage<Fact>(
  ordered: Ordered<Fact>,
  { limit, cursor }: PageRequest,
  keep: (fact: Fact) => boolean,
): Page<Fact> {
  const { rows } = ordered;
  const records: Fact[] = [];
  for (let index = startIndex(ordered, cursor); index >= 0; index--) {
    const row = rows[index];
    if (row?.fact === undefined || !keep(row.fact)) continue;
    records.push(row.fact);
    if (records.length === limit) return { records, next: row.place.toString(36) };
  }
  return { records };
}

/** The index of the newest row before the cursor's. */
function startIndex({ rows, end }: Ordered<unknown>, cursor: string | undefined): number {
  if (cursor === undefined) return rows.length - 1;
  const place = /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : end;
  if (place >= end) {
    throw new Problem('invalid', {
      path: 'query cursor',
      expected: 'one from a Link header',
      got: describeValue(cursor),
    });
  }
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.place ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
