import { Query } from '@msw/data';
import { describeValue, Problem } from '../../messages/problem.ts';
import { whenSaved } from '../../service/commit.ts';
import type { CollectionWrites } from '../../service/testers/writes.ts';
import type { OpenWorld } from '../../service/world.ts';

/** Selects records: a query of `@msw/data`, a function that builds one, or a record, which selects itself. */
type Predicate<Row> = Query<Row> | ((query: Query<Row>) => Query<Row>) | Row;

/** A copy of a record, for an update to change. Only `Key` can be set. */
type Draft<Row, Key extends keyof Row> = Readonly<Omit<Row, Key>> & {
  -readonly [Name in Key]: Row[Name];
};

type RowChange<Row, Key extends keyof Row> = {
  readonly data: (draft: Draft<Row, Key>) => void | Promise<void>;
};

/**
 * Records of a world, oldest first, with the methods of a `Collection` of `@msw/data`. Reading a record gives a copy of
 * what the interface would respond with now. Writing obeys the rules of the interface and makes one change or none: the
 * call rejects with a {@link Problem}, or resolves once the change is kept.
 */
export interface LiveCollection<Row, New, Key extends keyof Row> {
  create(values: New): Promise<Row>;
  createMany(count: number, values: (index: number) => New): Promise<Row[]>;
  findFirst(predicate: Predicate<Row> | undefined, options: { strict: true }): Row;
  findFirst(predicate?: Predicate<Row>, options?: { strict?: boolean }): Row | undefined;
  findMany(predicate?: Predicate<Row>): Row[];
  update(predicate: Predicate<Row>, change: RowChange<Row, Key>): Promise<Row | undefined>;
  updateMany(predicate: Predicate<Row> | undefined, change: RowChange<Row, Key>): Promise<Row[]>;
  delete(predicate: Predicate<Row>): Promise<Row | undefined>;
  deleteMany(predicate?: Predicate<Row>): Promise<Row[]>;
  clear(): Promise<void>;
  count(): number;
  all(): Row[];
}

/** How a collection reads its records. */
export interface RowReader<Row, Key extends keyof Row> {
  /** Oldest first. */
  ids(): string[];
  /** A copy of a record, as the interface shows it now. */
  read(id: string): Row;
  /** The only key that an update can set. */
  readonly key: Key;
}

/** Makes a collection of the streams or sessions of a world. */
export function createCollection<Row extends { readonly id: string }, New, Key extends keyof Row>(
  world: OpenWorld,
  writes: CollectionWrites<New>,
  { ids, read, key }: RowReader<Row, Key>,
): LiveCollection<Row, New, Key> {
  const find = (predicate?: Predicate<Row>, limit = Number.POSITIVE_INFINITY): Row[] => {
    const query = readQuery(predicate);
    const rows: Row[] = [];
    for (const id of ids()) {
      if (rows.length >= limit) break;
      const row = read(id);
      if (query.test(row)) rows.push(row);
    }
    return rows;
  };
  const create = (inputs: readonly New[]): Promise<Row[]> =>
    whenSaved(world, () => writes.create(world, inputs).map(({ id }) => read(id)));
  const update = async (rows: Row[], { data }: RowChange<Row, Key>): Promise<Row[]> => {
    const values = new Map<string, unknown>();
    for (const { id } of rows) {
      const draft = read(id);
      const before = structuredClone(draft);
      await data(draft);
      refuseOtherChanges(before, draft, key);
      if (draft[key] !== before[key]) values.set(id, draft[key]);
    }
    return whenSaved(world, () => {
      if (values.size > 0) writes.set(world, values);
      return rows.map((row) => (values.has(row.id) ? read(row.id) : row));
    });
  };
  const remove = (rows: Row[]): Promise<Row[]> =>
    whenSaved(world, () => {
      const deleted = rows.map(({ id }) => id);
      if (deleted.length > 0) writes.delete(world, deleted);
      return rows;
    });
  return {
    create: async (values) => (await create([values]))[0] as Row,
    createMany: async (count, values) =>
      create(Array.from({ length: count }, (_, index) => values(index))),
    findFirst(predicate?: Predicate<Row>, { strict = false } = {}) {
      const [row] = find(predicate, 1);
      if (strict && row === undefined)
        throw new Problem('unknown', { path: 'query', expected: 'a match', got: 'none' });
      // Without `strict` there may be none, as the declaration above says.
      return row as Row;
    },
    findMany: (predicate) => find(predicate),
    update: async (predicate, change) => (await update(find(predicate, 1), change))[0],
    updateMany: async (predicate, change) => update(find(predicate), change),
    delete: async (predicate) => (await remove(find(predicate, 1)))[0],
    deleteMany: async (predicate) => remove(find(predicate)),
    clear: async () => void (await remove(find())),
    count: () => ids().length,
    all: () => find(),
  };
}

/** @throws Problem 422 if an update has changed anything but `key`. */
function refuseOtherChanges<Row extends object>(before: Row, after: Row, key: keyof Row): void {
  for (const name of Object.keys({ ...before, ...after }) as (keyof Row)[]) {
    if (name === key || JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    const expected = `no change, as an update sets ${String(key)} alone`;
    const got = describeValue(after[name]);
    throw new Problem('invalid', { path: String(name), expected, got });
  }
}

function readQuery<Row extends { readonly id: string }>(predicate?: Predicate<Row>): Query<Row> {
  if (predicate === undefined) return new Query(() => true);
  if (predicate instanceof Query) return predicate;
  if (typeof predicate === 'function') return predicate(new Query());
  return new Query(({ id }) => id === predicate.id);
}
