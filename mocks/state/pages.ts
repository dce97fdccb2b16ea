import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { Refusal } from '../../interface/dialect/cells.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { countBefore, countUpTo, type Entry, type ListPosition, type Ordered } from './ordered.ts';

/** Which page of a list a client asks for. */
export interface PageRequest {
  /** Maximum number of items on the page. */
  readonly limit: number;
  /** The {@link Page.next} of the previous page. */
  readonly cursor?: string | undefined;
  /** What happens to a cursor that no page returned: it is ignored, leads to an empty page, or is refused. */
  readonly unknownCursor?: 'ignored' | 'empty' | Refusal | undefined;
  /** Whether a full page has a next one only if there are more items. */
  readonly looksAhead?: boolean;
  /** What a cursor says: the position of the last item, or how many items came before. */
  readonly cursors?: 'opaque' | 'offset' | { readonly prefix: string };
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page. Only a full page has one. */
  readonly next?: string;
}

/** The order in which a list is paged, and how a cursor names a place in it. */
export interface PageOrder<Item> {
  /** In this order or, if the step is -1, in the opposite one. */
  readonly entries: readonly Entry<Item>[];
  readonly step: 1 | -1;
  /** The cursor that names the place of an entry. */
  cursorOf(entry: Entry<Item>): string;
  /** The index of the first entry after the place that a cursor names; `undefined` if no page returned the cursor. */
  indexAfter(cursor: string): number | undefined;
}

/**
 * Takes a page of the records that `keep` accepts.
 * @throws Problem 422 for a cursor that no page returned.
 */
export function takePage<Item>(
  order: PageOrder<Item>,
  page: PageRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { limit, looksAhead = false, cursors } = page;
  const { entries, step } = order;
  const start = readCursor(order, page);
  const count = looksAhead ? limit + 1 : limit;
  const items: Item[] = [];
  let last: Entry<Item> | undefined;
  let skipped = 0;
  for (let { index } = start; items.length < count; index += step) {
    const entry = entries[index];
    if (entry === undefined) return { items: items.slice(0, limit) };
    if (entry.isRemoved || !keep(entry.record)) continue;
    if (skipped < start.skip) {
      skipped += 1;
      continue;
    }
    items.push(entry.record);
    if (items.length === limit) last = entry;
  }
  const shown = items.slice(0, limit);
  const prefix = prefixOf(cursors);
  if (prefix !== undefined) return { items: shown, next: `${prefix}${start.skip + limit}` };
  return last === undefined ? { items: shown } : { items: shown, next: order.cursorOf(last) };
}

/** Pages from the latest record to the earliest. */
export function newestFirst<Item extends StreamRecord | SessionRecord>(
  ordered: Ordered<Item>,
): PageOrder<Item> {
  return byTime(ordered, -1, (position) => countBefore(ordered, position) - 1);
}

/** Pages from the earliest record to the latest. */
export function oldestFirst<Item extends StreamRecord | SessionRecord>(
  ordered: Ordered<Item>,
): PageOrder<Item> {
  return byTime(ordered, 1, (position) => countUpTo(ordered, position));
}

function byTime<Item extends StreamRecord | SessionRecord>(
  { entries }: Ordered<Item>,
  step: PageOrder<Item>['step'],
  indexAfter: (position: ListPosition) => number,
): PageOrder<Item> {
  return {
    entries,
    step,
    cursorOf: ({ record, sequence }) => writePosition({ time: record.createdAt, sequence }),
    indexAfter(cursor) {
      const position = readPosition(cursor);
      return position === undefined ? undefined : indexAfter(position);
    },
  };
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

/** What stands before the number of items in a cursor; `undefined` if a cursor has no such number. */
function prefixOf(cursors: PageRequest['cursors']): string | undefined {
  if (cursors === 'offset') return '';
  return typeof cursors === 'object' ? cursors.prefix : undefined;
}

/** Where a page begins: at which entry, and how many of the accepted items it skips. */
function readCursor<Item>(
  { entries, step, indexAfter }: PageOrder<Item>,
  { cursor, cursors, unknownCursor }: PageRequest,
): { index: number; skip: number } {
  const firstPage = { index: step === 1 ? 0 : entries.length - 1, skip: 0 };
  if (cursor === undefined) return firstPage;
  const prefix = prefixOf(cursors);
  if (prefix !== undefined && cursor.startsWith(prefix)) {
    const offset = cursor.slice(prefix.length);
    if (/^\d{1,10}$/.test(offset)) return { ...firstPage, skip: Number(offset) };
  }
  const index = prefix === undefined ? indexAfter(cursor) : undefined;
  if (index !== undefined) return { index, skip: 0 };
  if (unknownCursor === 'ignored') return firstPage;
  if (unknownCursor === 'empty') return { index: -1, skip: 0 };
  const expected = 'a cursor from an earlier page';
  const problem = new Problem('invalid', {
    path: 'query cursor',
    expected,
    got: describeValue(cursor),
  });
  throw problem.refusedAs(unknownCursor);
}
