import { expect, test } from 'vitest';
import type { Behaviours } from '../../../../interface/silent.ts';
import { mockToLearn } from '../../learn.test-support.ts';
import { learnOnce } from '../../learn.ts';

const alike = { status: 418, body: 'empty' } as const;

/** Orders of which the plainest examples of two errors are refused alike. */
const hard: readonly Partial<Behaviours>[] = [
  {
    'order.createStream': ['body', 'fields', 'wrong-key', 'no-key'],
    'refusal.no-key': alike,
    'refusal.missing-name': alike,
  },
  {
    'order.createStream': ['body', 'wrong-key', 'no-key', 'fields'],
    'refusal.wrong-key': alike,
    'refusal.malformed-json.createStream': alike,
  },
  {
    'order.setRecord': ['wrong-key', 'body', 'no-key', 'id', 'fields'],
    'refusal.unknown-id.setRecord': alike,
    'refusal.missing-record': alike,
  },
  {
    'order.updateStream': ['body', 'fields', 'wrong-key', 'no-key', 'id'],
    'update.name': 'dropped',
  },
  {
    'order.unknown-route': ['wrong-key', 'no-key', 'route', 'body'],
    'refusal.unknown-route': alike,
    'refusal.no-key': alike,
  },
  {
    'order.unknown-route': ['route', 'wrong-key', 'body', 'no-key'],
    'refusal.unknown-route': alike,
    'refusal.wrong-key': alike,
    'refusal.malformed-json.createStream': { status: 400, body: 'empty' },
  },
  {
    'order.unknown-route': ['route', 'wrong-key', 'body', 'no-key'],
    'operation.retrieveStream': { status: 405 },
    'operation.updateStream': { status: 405 },
  },
  {
    'order.listSessionsOfStream': ['wrong-key', 'no-key', 'id', 'query'],
    'list.limit': 'ignored',
    'list.unknown-query.listSessionsOfStream': 'ignored',
  },
  {
    'order.listSessionsOfStream': ['wrong-key', 'query', 'no-key', 'id'],
    'refusal.no-key': { status: 401, body: 'empty' },
    'refusal.wrong-key': { status: 401, body: 'empty' },
  },
  {
    'order.listSessions': ['query', 'wrong-key', 'no-key'],
    'list.limit': 'ignored',
  },
];

test.each(hard)('the order of errors is learned although some look alike: %j', async (rows) => {
  const { dialect } = await learnOnce(mockToLearn({ rows }));
  expect(dialect.rows).toMatchObject(rows);
});

test('errors that look alike in every example keep the usual order', async () => {
  const refused = { status: 401 } as const;
  const rows = {
    ...{ 'refusal.wrong-key': refused, 'refusal.other-scheme': refused },
    ...{ 'refusal.unknown-route': refused, 'refusal.method': refused },
    'order.unknown-route': ['route', 'wrong-key', 'body', 'no-key'],
  } as const;
  const { dialect } = await learnOnce(mockToLearn({ rows }));
  expect(dialect.rows['order.unknown-route']).toEqual(['wrong-key', 'route', 'body', 'no-key']);
});

test('an order of which nothing is refused is not known', async () => {
  const ignored = 'ignored' as const;
  const learned = await learnOnce(
    mockToLearn({
      rows: {
        'list.limit': ignored,
        'list.active.listStreams': ignored,
        'list.order-by.listStreams': ignored,
        'list.filters.listStreams': ignored,
      },
    }),
  );
  expect(learned.rows['order.listStreams']).toMatchObject({
    outcome: 'assumed',
    reason: 'two errors at once: none was refused of the kind query',
  });
});
