import { Query } from '@msw/data';
import { Problem } from '../../messages/problem.ts';

/** Selects records: a query of `@msw/data`, a function that builds one, or a record. */
export type Predicate<Row> = Query<Row> | ((query: Query<Row>) => Query<Row>) | Row;

type Order<Row> = { readonly [Key in keyof Row]?: 'asc' | 'desc' };

/** Which of the matching records are taken, as in `@msw/data`. */
export interface Selection<Row> {
  readonly cursor?: Row | undefined;
  readonly skip?: number;
  readonly take?: number;
  readonly orderBy?: Order<Row> | readonly Order<Row>[];
  readonly strict?: boolean;
}

/**
 * The matching records among `ids`, each read only when it is compared.
 * @throws Problem 404 when a strict selection finds none.
 */
export function select<Row extends { readonly id: string }>(
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
