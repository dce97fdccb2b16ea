import { describe, expect, test } from 'vitest';
import type { RowId } from '../../interface/silent.ts';
import { type Check, orderRows } from '../../interface/silent-orders.ts';
import { mockWith, sendTo } from './dialect.test-support.ts';
import { calm } from './errors.test-support.ts';

type OrderRow = Extract<RowId, `order.${string}`>;

/** A request in parts, each of which can be wrong. */
interface Parts {
  readonly method: string;
  readonly path: (id: string) => string;
  readonly body?: string;
  readonly wrongFields?: string;
}

const requests: Readonly<Record<OrderRow, Parts>> = {
  'order.createStream': {
    method: 'POST',
    path: () => '/api/stream',
    body: '{"name":"a"}',
    wrongFields: '{}',
  },
  'order.setRecord': {
    method: 'PATCH',
    path: (id) => `/api/stream/${id}/record`,
    body: '{"record":true}',
    wrongFields: '{}',
  },
  'order.updateStream': {
    method: 'PATCH',
    path: (id) => `/api/stream/${id}`,
    body: '{"name":"a"}',
    wrongFields: '{"name":1}',
  },
  'order.unknown-route': { method: 'POST', path: () => '/api/nowhere', body: '{}' },
  'order.listStreams': { method: 'GET', path: () => '/api/stream' },
  'order.listSessionsOfStream': { method: 'GET', path: (id) => `/api/stream/${id}/sessions` },
  'order.listSessions': { method: 'GET', path: () => '/api/session' },
};

/** The status where only this is wrong. */
const statuses: Readonly<Record<Check, number>> = {
  'wrong-key': 401,
  'no-key': 401,
  body: 400,
  route: 404,
  fields: 422,
  id: 404,
  query: 422,
};

/** Sends a request in which exactly these parts are wrong. */
function sendWrong(row: OrderRow, value: readonly Check[], wrong: readonly Check[]) {
  const { method, path, body, wrongFields } = requests[row];
  const has = (check: Check) => wrong.includes(check);
  const target = `${path(has('id') ? 'nowhere' : calm)}${has('query') ? '?limit=0' : ''}`;
  const text = has('body') ? '{' : has('fields') ? wrongFields : body;
  return sendTo(mockWith({ [row]: value }))(`${method} ${target}`, {
    ...(text !== undefined && { body: text }),
    ...(has('no-key') && { authorization: null }),
    ...(has('wrong-key') && { authorization: 'Bearer unknown' }),
  });
}

/** Pairs that one request cannot have: two kinds of keys, and fields in what is no JSON. */
const impossible = ['wrong-key no-key', 'no-key wrong-key', 'body fields', 'fields body'];

function pairsOf(order: readonly Check[]) {
  // Behind an unknown path, nothing else can be noticed.
  const noticed = order.includes('route') ? order.slice(0, order.indexOf('route') + 1) : order;
  return noticed
    .flatMap((first, index) => noticed.slice(index + 1).map((second) => ({ first, second })))
    .filter(({ first, second }) => !impossible.includes(`${first} ${second}`));
}

describe.each(Object.keys(requests) as OrderRow[])('%s', (row) => {
  const values = [orderRows[row].default, ...orderRows[row].samples];
  const pairs = values.flatMap((value) => pairsOf(value).map((pair) => ({ value, ...pair })));

  test.each(pairs)('in the order $value, $first is noticed before $second', async (pair) => {
    const { value, first, second } = pair;
    const { status } = await sendWrong(row, value, [first, second]);
    expect(status).toBe(statuses[first]);
  });
});

test.each([{ authorization: 'Basic a2V5' }, { authorization: 'Bearer unknown' }])(
  'a key of another form is noticed where a wrong key is: $authorization',
  async ({ authorization }) => {
    const order: readonly Check[] = ['body', 'wrong-key', 'no-key', 'fields'];
    const send = sendTo(mockWith({ 'order.createStream': order }));
    expect((await send('POST /api/stream', { authorization, body: '{' })).status).toBe(400);
    expect((await send('POST /api/stream', { authorization, body: '{}' })).status).toBe(401);
  },
);
