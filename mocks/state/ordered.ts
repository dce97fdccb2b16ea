/** A record that lists sort by when it was created. */
interface Dated {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A record in a list that is sorted by time. */
export interface Entry<Item> {
  record: Item;
  /** Sorts entries of the same time: the one that was added later has the larger number. It is never reused. */
  readonly sequence: number;
  /** Whether it was removed, although it may still have its place in the list. */
  isRemoved: boolean;
}

/** Records from the earliest to the latest, whatever the order in which they were added. */
export interface Ordered<Item> {
  /** Also holds some entries that were removed. Only this module and the pages of a list read it. */
  entries: Entry<Item>[];
  /** How many of the entries were removed. */
  removed: number;
}

/** Where an entry is in a list. A cursor names this position, which outlives the entry. */
export interface ListPosition {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly sequence: number;
}

/** Makes an empty list. */
export function createOrdered<Item extends Dated>(): Ordered<Item> {
  return { entries: [], removed: 0 };
}

/** The records of several lists in one, in the same order. An entry keeps the place that a cursor names. */
export function mergeOrdered<Item extends Dated>(
  ...lists: readonly Ordered<Item>[]
): Ordered<Item> {
  return {
    entries: lists.flatMap(({ entries }) => entries).sort(byPosition),
    removed: lists.reduce((sum, { removed }) => sum + removed, 0),
  };
}

function byPosition(left: Entry<Dated>, right: Entry<Dated>): number {
  return left.record.createdAt - right.record.createdAt || left.sequence - right.sequence;
}

/** Adds an entry at its place, which usually is the end. */
export function insert<Item extends Dated>(ordered: Ordered<Item>, entry: Entry<Item>): void {
  const { entries } = ordered;
  const { createdAt: time } = entry.record;
  const last = entries.at(-1);
  if (last === undefined || last.record.createdAt <= time) entries.push(entry);
  else entries.splice(countUpTo(ordered, { time, sequence: entry.sequence }), 0, entry);
}

/**
 * Removes an entry at a cost that does not grow with the list: it is only marked, unless it is the last one. The others
 * move when more than half of them are marked, so each deletion pays for moving one or two.
 */
export function remove<Item>(ordered: Ordered<Item>, entry: Entry<Item>): void {
  if (entry.isRemoved) return;
  entry.isRemoved = true;
  ordered.removed += 1;
  const { entries } = ordered;
  while (entries.at(-1)?.isRemoved) {
    entries.pop();
    ordered.removed -= 1;
  }
  if (2 * ordered.removed <= entries.length) return;
  ordered.entries = entries.filter(({ isRemoved }) => !isRemoved);
  ordered.removed = 0;
}

/** The records, earliest first. */
export function recordsOf<Item>({ entries, removed }: Ordered<Item>): Item[] {
  const listed = removed === 0 ? entries : entries.filter(({ isRemoved }) => !isRemoved);
  return listed.map(({ record }) => record);
}

/** Whether a test holds for some record. It copies nothing, as watchers ask this of large lists at each change. */
export function holdsForSome<Item>(
  { entries }: Ordered<Item>,
  test: (record: Item) => boolean,
): boolean {
  return entries.some(({ record, isRemoved }) => !isRemoved && test(record));
}

/** The latest record; there is never a removed entry after it. */
export function lastOf<Item>({ entries }: Ordered<Item>): Item | undefined {
  return entries.at(-1)?.record;
}

/** How many entries come before a position. */
export function countBefore(ordered: Ordered<Dated>, position: ListPosition): number {
  return countUpTo(ordered, { time: position.time, sequence: position.sequence - 1 });
}

/** How many entries come before a position or are at it. */
export function countUpTo({ entries }: Ordered<Dated>, position: ListPosition): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { record, sequence } = entries[middle] as Entry<Dated>;
    const { createdAt: time } = record;
    const isLater =
      time > position.time || (time === position.time && sequence > position.sequence);
    if (isLater) high = middle;
    else low = middle + 1;
  }
  return low;
}
