import type { Refusal } from '../../interface/dialect/cells.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { countBefore, countUpTo, type Entry, type ListPosition, type Ordered } from './ordered.ts';

/** Which page of a list a client asks for. */
export interface PageRequest {
  /** Maximum number of records on the page. */
  readonly limit: number;
  /** The {@link Page.next} of the previous page. */
  readonly cursor?: string | undefined;
  readonly oldestFirst?: boolean;
  /** What happens to a cursor that no page returned: it is ignored, leads to an empty page, or is refused. */
  readonly unknownCursor?: 'ignored' | 'empty' | Refusal | undefined;
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
  ordered: Ordered<Item>,
  page: PageRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { limit, oldestFirst = false, looksAhead = false, cursors } = page;
  const { entries, timeOf } = ordered;
  const start = readCursor(ordered, page);
  const count = looksAhead ? limit + 1 : limit;
  const pageEntries: Entry<Item>[] = [];
  let { index, skip } = start;
  while (pageEntries.length < count) {
    const entry = entries[index];
    if (entry === undefined) break;
    index += oldestFirst ? 1 : -1;
    if (entry.isRemoved || !keep(entry.record)) continue;
    if (skip > 0) skip -= 1;
    else pageEntries.push(entry);
  }
  const records = pageEntries.slice(0, limit).map(({ record }) => record);
  if (pageEntries.length < count) return { records };
  if (cursors === 'offset') return { records, next: String(start.skip + limit) };
  const last = pageEntries[limit - 1];
  if (last === undefined) return { records };
  return { records, next: writePosition({ time: timeOf(last.record), sequence: last.sequence }) };
}

/** A position in a list as a cursor. */
function writePosition({ time, sequence }: ListPosition): string {
  return `p${time.toString(36)}-${sequence.toString(36)}`;
}

/** The position that a cursor names, if {@link writePosition} could have written it. */
function readPosition(cursor: string): ListPosition | undefined {
  const [, time, sequence] = /^p([0-9a-z]{1,11})-([0-9a-z]{1,10})$/.exec(cursor) ?? [];
  if (time === undefined || sequence === undefined) return undefined;
  return { time: Number.parseInt(time, 36), sequence: Number.parseInt(sequence, 36) };
}

/** Where a page begins: at which entry, and how many of the accepted records it skips. */
function readCursor<Item>(
  ordered: Ordered<Item>,
  { cursor, cursors, oldestFirst = false, unknownCursor }: PageRequest,
): { index: number; skip: number } {
  const firstPage = { index: oldestFirst ? 0 : ordered.entries.length - 1, skip: 0 };
  if (cursor === undefined) return firstPage;
  const isOffset = cursors === 'offset';
  if (isOffset && /^\d{1,10}$/.test(cursor)) return { ...firstPage, skip: Number(cursor) };
  const position = isOffset ? undefined : readPosition(cursor);
  if (position !== undefined) {
    const index = oldestFirst ? countUpTo(ordered, position) : countBefore(ordered, position) - 1;
    return { index, skip: 0 };
  }
  if (unknownCursor === 'ignored') return firstPage;
  if (unknownCursor === 'empty') return { index: -1, skip: 0 };
  const expected = 'a cursor from an earlier page';
  const problem = new Problem('invalid', {
    path: 'query cursor',
    expected,
    got: describeValue(cursor),
  });
  throw unknownCursor === undefined ? problem : problem.refusedAs(unknownCursor);
}
