import { describeValue, Problem } from '../../messages/problem.ts';
import type { Arrangement } from '../../service/arrange.ts';
import type { WorldState } from '../../service/world.ts';
import { type Predicate, type Selection, select } from './select.ts';

/** A copy of a record for an update to change; only `Key` can be set. */
type Draft<Row, Key extends keyof Row> = Readonly<Omit<Row, Key>> & {
  -readonly [Name in Key]: Row[Name];
};

type Change<Row, Key extends keyof Row> = {
  readonly data: (draft: Draft<Row, Key>) => void | Promise<void>;
  readonly strict?: boolean;
};

/**
 * Records of a world, oldest first, with the methods of a `Collection` of `@msw/data`. A record that is
 * read is a copy of what the interface would respond with now. A call that writes obeys the rules of the
 * interface and is one change or none: it rejects with a {@link Problem}, or resolves once the change is
 * kept.
 */
export interface LiveCollection<Row, New, Key extends keyof Row> {
  create(values: New): Promise<Row>;
  createMany(count: number, values: (index: number) => New): Promise<Row[]>;
  findFirst(predicate: Predicate<Row> | undefined, options: { strict: true }): Row;
  findFirst(predicate?: Predicate<Row>, options?: { strict?: boolean }): Row | undefined;
  findMany(predicate?: Predicate<Row>, options?: Selection<Row>): Row[];
  update(predicate: Predicate<Row>, options: Change<Row, Key> & { strict: true }): Promise<Row>;
  update(predicate: Predicate<Row>, options: Change<Row, Key>): Promise<Row | undefined>;
  updateMany(
    predicate: Predicate<Row> | undefined,
    options: Change<Row, Key> & Selection<Row>,
  ): Promise<Row[]>;
  delete(predicate: Predicate<Row>, options: { strict: true }): Promise<Row>;
  delete(predicate: Predicate<Row>, options?: { strict?: boolean }): Promise<Row | undefined>;
  deleteMany(predicate?: Predicate<Row>, options?: Selection<Row>): Promise<Row[]>;
  clear(): Promise<void>;
  count(): number;
  all(): Row[];
}

/** How a collection reads its records. */
export interface Reader<Row, Key extends keyof Row> {
  /** Oldest first. */
  ids(): string[];
  /** A copy of a record, as the interface shows it now. */
  read(id: string): Row;
  /** The only key that an update can set. */
  readonly key: Key;
}

/** Makes a collection of the streams or sessions of a world. */
export function createCollection<Row extends { readonly id: string }, New, Key extends keyof Row>(
  world: WorldState,
  arrangement: Arrangement<New>,
  { ids, read, key }: Reader<Row, Key>,
): LiveCollection<Row, New, Key> {
  const kept = (rows: Row[]): Promise<Row[]> => world.saved.then(() => rows);
  // A strict selection has thrown when it found none.
  const first = (rows: readonly Row[]): Row => rows[0] as Row;

  const collection: LiveCollection<Row, New, Key> = {
    create: async (values) => first(await collection.createMany(1, () => values)),
    async createMany(count, values) {
      const inputs = Array.from({ length: count }, (_, index) => values(index));
      return kept(arrangement.create(world, inputs).map(({ id }) => read(id)));
    },
    findFirst: (predicate, options) =>
      first(collection.findMany(predicate, { ...options, take: 1 })),
    findMany: (predicate, options = {}) => select(ids(), read, predicate, options),
    update: async (predicate, options) =>
      first(await collection.updateMany(predicate, { ...options, take: 1 })),
    async updateMany(predicate, { data, ...options }) {
      const rows = collection.findMany(predicate, options);
      const values = new Map<string, unknown>();
      for (const { id } of rows) {
        const draft = read(id);
        const before = structuredClone(draft);
        await data(draft);
        refuseOtherChanges(before, draft, key);
        if (draft[key] !== before[key]) values.set(id, draft[key]);
      }
      if (values.size > 0) arrangement.set(world, values);
      return kept(rows.map((row) => (values.has(row.id) ? read(row.id) : row)));
    },
    delete: async (predicate, options) =>
      first(await collection.deleteMany(predicate, { ...options, take: 1 })),
    async deleteMany(predicate, options) {
      const rows = collection.findMany(predicate, options);
      const deleted = rows.map(({ id }) => id);
      if (deleted.length > 0) arrangement.delete(world, deleted);
      return kept(rows);
    },
    clear: async () => void (await collection.deleteMany()),
    count: () => ids().length,
    all: () => collection.findMany(),
  };
  return collection;
}

/** @throws Problem 422 when an update has changed anything but `key` */
function refuseOtherChanges<Row extends object>(before: Row, after: Row, key: keyof Row): void {
  for (const name of Object.keys({ ...before, ...after }) as (keyof Row)[]) {
    if (name === key || JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    const expected = `no change, as an update sets ${String(key)} alone`;
    const got = describeValue(after[name]);
    throw new Problem('invalid', { path: String(name), expected, got });
  }
}
