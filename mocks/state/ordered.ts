/** A record and its position in the order in which records were added. Positions are never reused. */
export interface OrderedRecord<Item> {
  readonly position: number;
  record: Item;
}

/** Records in the order in which they were added. */
export interface Ordered<Item> {
  entries: OrderedRecord<Item>[];
  /** The next position. */
  end: number;
}

/** Records that are sorted already. */
export function inOrder<Item>(records: readonly Item[]): Ordered<Item> {
  const entries = records.map((record, position) => ({ position, record }));
  return { entries, end: records.length };
}

/** Adds an entry at the end. */
export function append<Item>(ordered: Ordered<Item>, entry: OrderedRecord<Item>): void {
  ordered.entries.push(entry);
  ordered.end = entry.position + 1;
}

/** The records, oldest first. */
export function recordsOf<Item>({ entries }: Ordered<Item>): Item[] {
  return entries.map(({ record }) => record);
}
