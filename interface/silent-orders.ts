import * as z from 'zod';
import { oneOf, type RowsOf, type SilentRow } from './silent-row.ts';

/** What is wrong with a request, where several things are: the one that is noticed first decides. */
export type Check = 'wrong-key' | 'no-key' | 'body' | 'fields' | 'id' | 'route' | 'query';

type Operation =
  | 'createStream'
  | 'setRecord'
  | 'updateStream'
  | 'unknown-route'
  | 'listStreams'
  | 'listSessionsOfStream'
  | 'listSessions';

/** Which of several errors in one request is noticed first. */
export type OrderBehaviours = Readonly<Record<`order.${Operation}`, readonly Check[]>>;

const clause = '7';

/** Each name once, and the API key before the id, as a service finds streams by their account. */
function orderSchema(...names: readonly Check[]): z.ZodType<readonly Check[]> {
  return z
    .array(oneOf(...names), `an array with each of ${names.join(', ')} once`)
    .length(names.length, `each of ${names.join(', ')} once`)
    .refine((order) => new Set(order).size === names.length, `each of ${names.join(', ')} once`)
    .refine(
      (order) => order.every((name, index) => name !== 'id' || index > keyEnd(order)),
      'the keys before id',
    );
}

function keyEnd(order: readonly string[]): number {
  return Math.max(order.indexOf('wrong-key'), order.indexOf('no-key'));
}

const createOrder = orderSchema('wrong-key', 'body', 'no-key', 'fields');
const changeOrder = orderSchema('wrong-key', 'body', 'no-key', 'fields', 'id');
const routeOrder = orderSchema('wrong-key', 'body', 'route', 'no-key');
const listOrder = orderSchema('wrong-key', 'no-key', 'query');
const listOfStreamOrder = orderSchema('wrong-key', 'no-key', 'query', 'id');

const changeOrderRow = (operation: string): SilentRow<readonly Check[]> => ({
  clause,
  question: `Of several errors in one request (${operation}), which is noticed first?`,
  values: changeOrder,
  default: ['wrong-key', 'body', 'no-key', 'fields', 'id'],
  samples: [
    ['wrong-key', 'no-key', 'body', 'fields', 'id'],
    ['wrong-key', 'body', 'no-key', 'id', 'fields'],
    ['body', 'fields', 'wrong-key', 'no-key', 'id'],
  ],
  bounds: ['AUTH-2', 'AUTH-5', 'RECORD-12', 'RECORD-14'],
});

const listOrderRow = (list: string, bounds: readonly string[]): SilentRow<readonly Check[]> => ({
  clause,
  question: `Of a refused key and an impossible query (${list}), which is noticed first?`,
  values: listOrder,
  default: ['wrong-key', 'no-key', 'query'],
  samples: [
    ['query', 'wrong-key', 'no-key'],
    ['wrong-key', 'query', 'no-key'],
  ],
  bounds,
});

/** Which of several errors in one request is noticed first. */
export const orderRows: RowsOf<OrderBehaviours> = {
  'order.createStream': {
    clause,
    question: 'Of several errors in one creation, which is noticed first?',
    values: createOrder,
    default: ['wrong-key', 'body', 'no-key', 'fields'],
    samples: [
      ['wrong-key', 'no-key', 'body', 'fields'],
      ['body', 'wrong-key', 'no-key', 'fields'],
      ['body', 'fields', 'wrong-key', 'no-key'],
    ],
    bounds: ['AUTH-1', 'AUTH-4', 'CREATE-14'],
  },
  'order.setRecord': changeOrderRow('setRecord'),
  'order.updateStream': changeOrderRow('updateStream'),
  'order.unknown-route': {
    clause,
    question: 'Of several errors in a request to an unknown path, which is noticed first?',
    values: routeOrder,
    default: ['wrong-key', 'body', 'route', 'no-key'],
    samples: [
      ['route', 'wrong-key', 'body', 'no-key'],
      ['wrong-key', 'no-key', 'route', 'body'],
    ],
    bounds: [],
  },
  'order.listStreams': listOrderRow('listStreams', []),
  'order.listSessionsOfStream': {
    clause,
    question: 'Of several errors in one request for sessions, which is noticed first?',
    values: listOfStreamOrder,
    default: ['wrong-key', 'no-key', 'query', 'id'],
    samples: [
      ['wrong-key', 'no-key', 'id', 'query'],
      ['query', 'wrong-key', 'no-key', 'id'],
    ],
    bounds: ['AUTH-3', 'AUTH-6'],
  },
  'order.listSessions': listOrderRow('listSessions', []),
};
