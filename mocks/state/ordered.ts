import { describeValue, Problem } from '../problem.ts';

/** Records in the order in which they were added; the place of each is for ever its own. */
export interface Ordered<Record> {
  readonly entries: { readonly place: number; readonly record: Record }[];
  /** How many were ever added. */
  added: number;
}

/** Adds a record behind the others. */
export function addTo<Record>(ordered: Ordered<Record>, record: Record): void {
  ordered.entries.push({ place: ordered.added++, record });
}

/** Takes a record out. */
export function removeFrom<Record>(ordered: Ordered<Record>, record: Record): void {
  const index = ordered.entries.findIndex((entry) => entry.record === record);
  if (index >= 0) ordered.entries.splice(index, 1);
}

/** Which part of a list a client asks for. */
export interface PageRequest {
  /** At most so many records. */
  readonly limit: number;
  /** Continue where the page that returned this ended. */
  readonly cursor?: string;
}

/** A part of a list, newest first. */
export interface Page<Record> {
  readonly records: readonly Record[];
  /** The cursor of the next page, on a full page. */
  readonly next?: string;
}

/**
 * Cuts a page, newest first, out of the records that `keep` accepts.
 * @throws Problem 422 when the cursor is none of ours.
 */
export function takePage<Record>(
  ordered: Ordered<Record>,
  { limit, cursor }: PageRequest,
  keep: (record: Record) => boolean,
): Page<Record> {
  const { entries } = ordered;
  const records: Record[] = [];
  for (let index = startIndex(ordered, cursor); index >= 0; index--) {
    const entry = entries[index];
    if (entry === undefined || !keep(entry.record)) continue;
    records.push(entry.record);
    if (records.length === limit) return { records, next: entry.place.toString(36) };
  }
  return { records };
}

/** The index of the newest entry that lies before the cursor's. */
function startIndex<Record>(
  { entries, added }: Ordered<Record>,
  cursor: string | undefined,
): number {
  if (cursor === undefined) return entries.length - 1;
  const place = /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : added;
  if (place >= added) {
    throw new Problem(
      422,
      `query cursor: expected one from a Link header, got ${describeValue(cursor)}`,
    );
  }
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.place ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
