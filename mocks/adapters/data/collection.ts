import { Query } from '@msw/data';
import { describeValue, Problem } from '../../messages/problem.ts';
import type { Arrangement } from '../../service/arrange.ts';
import type { WorldState } from '../../service/world.ts';

/** Selects records: a query of `@msw/data`, a function that builds one, or a record. */
type Predicate<Row> = Query<Row> | ((query: Query<Row>) => Query<Row>) | Row;

type Order<Row> = { readonly [Key in keyof Row]?: 'asc' | 'desc' };

/** Which of the matching records are taken, as in `@msw/data`. */
interface Selection<Row> {
  readonly cursor?: Row | undefined;
  readonly skip?: number;
  readonly take?: number;
  readonly orderBy?: Order<Row> | readonly Order<Row>[];
  readonly strict?: boolean;
}

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

/**
 * The matching records among `ids`, each read only when it is compared.
 * @throws Problem 404 when a strict selection finds none.
 */
function select<Row extends { readonly id: string }>(
  ids: readonly string[],
  read: (id: string) => Row,
  predicate: Predicate<Row> | undefined,
  { cursor, skip = 0, take = Number.POSITIVE_INFINITY, orderBy = [], strict }: Selection<Row>,
): Row[] {
  const query = readQuery(predicate);
  const inOrder = take < 0 ? ids.toReversed() : ids;
  const start = cursor === undefined ? 0 : inOrder.indexOf(cursor.id);
  const found: Row[] = [];
  let matched = 0;
  for (const id of start < 0 ? [] : inOrder.slice(start)) {
    if (found.length >= Math.abs(take)) break;
    const row = read(id);
    if (query.test(row) && ++matched > skip) found.push(row);
  }
  if (strict && found.length === 0)
    throw new Problem('unknown', { path: 'query', expected: 'a match', got: 'none' });
  const keys = [orderBy].flat().flatMap((order) => Object.entries(order as Order<Row>));
  for (const [key, direction] of keys.reverse()) {
    found.sort((left, right) => {
      const before = Reflect.get(left, key);
      const after = Reflect.get(right, key);
      return (Number(before > after) - Number(before < after)) * (direction === 'asc' ? 1 : -1);
    });
  }
  return found;
}

function readQuery<Row extends { readonly id: string }>(predicate?: Predicate<Row>): Query<Row> {
  if (predicate === undefined) return new Query(() => true);
  if (predicate instanceof Query) return predicate;
  if (typeof predicate === 'function') return predicate(new Query());
  return new Query(({ id }) => id === predicate.id);
}
