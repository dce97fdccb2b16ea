import { describe, expect, test } from 'vitest';
import {
  type Asked,
  askedNames,
  type ErrorClass,
  errorsOf,
  isShared,
  type Mutation,
} from '../../interface/errors.ts';
import { classesOf, ordersSchema } from '../../interface/orders.ts';
import { connect, mockWith, readAnswer } from './dialect.test-support.ts';
import { makeSubjects, otherKey, ownKey, wrongRequest } from './wrong-request.test-support.ts';

/** A status for the errors of each class, by which they are told apart. */
const statuses: Readonly<Record<ErrorClass, number>> = {
  key: 410,
  'no-key': 411,
  body: 412,
  fields: 413,
  id: 414,
  state: 415,
  query: 416,
  route: 417,
};

/** A wrong request of each class, of which several can be in one request. */
const wrong: Readonly<Partial<Record<ErrorClass, Mutation>>> = {
  key: { key: 'wrong' },
  'no-key': { key: 'none' },
  body: { text: '{' },
  fields: { text: '{"name":5,"record":5}' },
  id: { idOf: 'unknown' },
  query: { query: 'limit=0' },
};

/** Pairs that one request cannot have. */
const impossible: readonly (readonly ErrorClass[])[] = [
  ['key', 'no-key'],
  ['body', 'fields'],
];

/** Pairs of classes that can both be wrong in one request, and can have this order. */
function pairsOf(asked: Asked): (readonly [ErrorClass, ErrorClass])[] {
  const classes = classesOf(asked).filter((name) => name in wrong);
  return classes.flatMap((first) =>
    classes
      .filter((second) => !impossible.some((pair) => pair.includes(first) && pair.includes(second)))
      .filter((second) => first !== second && orderWith(asked, first, second) !== undefined)
      .map((second) => [first, second] as const),
  );
}

/** An order that is possible, in which one class comes before another. */
function orderWith(
  asked: Asked,
  first: ErrorClass,
  second: ErrorClass,
): readonly ErrorClass[] | undefined {
  return permutations(classesOf(asked)).find(
    (order) =>
      order.indexOf(first) < order.indexOf(second) &&
      ordersSchema.safeParse({ [asked]: order }).success,
  );
}

function permutations(names: readonly ErrorClass[]): (readonly ErrorClass[])[] {
  if (names.length < 2) return [names];
  return names.flatMap((name) =>
    permutations(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
  );
}

describe.each(askedNames.filter((asked) => asked !== 'unknownRoute'))('%s', (asked) => {
  const pairs = pairsOf(asked);
  if (pairs.length === 0) return;

  test.each(pairs)('notices %s before %s where its order says so', async (first, second) => {
    const own = Object.fromEntries(
      errorsOf[asked]
        .filter(({ id }) => !isShared(id) && !id.endsWith(':given'))
        .map((error) => [error.id, statusCell(error.class, error.ladder)]),
    );
    const refusals = { [asked]: own };
    const orders = { [asked]: orderWith(asked, first, second) ?? [] };
    const mock = mockWith({ refusals, orders }, { apiKeys: [ownKey, otherKey] });
    const client = await connect(mock, ownKey);
    const both = [wrong[first], wrong[second]].filter((one) => one !== undefined);
    const { request } = await wrongRequest(asked, both, client, await makeSubjects(client));
    const { status } = await readAnswer(await mock.fetch(request));
    expect(status).toBe(statuses[first]);
  });
});

function statusCell(name: ErrorClass, ladder: readonly number[] | undefined) {
  const status = statuses[name];
  if (ladder === undefined) return status;
  return { status, above: 1_000_000, below: 2_000_000 };
}

test('one error is told where the orders say so, and all of them where not', async () => {
  const body = { name: 5, record: 5 };
  for (const told of ['first', 'all'] as const) {
    const { send } = await connect(mockWith({ orders: { told } }));
    const { json } = await send('POST /api/stream', body);
    expect(json['errors']).toHaveLength(told === 'first' ? 1 : 2);
  }
});
