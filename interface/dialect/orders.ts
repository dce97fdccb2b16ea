import * as z from 'zod';
import {
  type ByEndpoint,
  byEndpoint,
  type Endpoint,
  type ErrorClass,
  endpointNames,
  errorsOf,
} from './errors.ts';

/** Which class of errors is reported first, by endpoint, and how many errors a refusal lists. */
export type Orders = ByEndpoint<readonly ErrorClass[]> & {
  /** Whether a refusal reports all errors in the fields of a body, or only the first. */
  readonly reported: 'all' | 'first';
};

/** The order in which the mock checks the classes without a dialect. */
const defaultOrder: readonly ErrorClass[] = [
  'key',
  'body',
  'route',
  'no-key',
  'query',
  'fields',
  'id',
  'state',
];

/** The classes of errors that a request for an endpoint can have; a request for an unknown path may have a body. */
export function classesOf(endpoint: Endpoint): readonly ErrorClass[] {
  if (endpoint === 'unknownRoute') return ['key', 'body', 'route', 'no-key'];
  const possibleClasses = new Set(errorsOf[endpoint].map((error) => error.class));
  possibleClasses.delete('route');
  // No other operation has parameters: that there is one is noticed first.
  if (!endpoint.startsWith('list')) possibleClasses.delete('query');
  return defaultOrder.filter((name) => possibleClasses.has(name));
}

/** The order that the mock has without a dialect. */
export const defaultOrders: Orders = { ...byEndpoint(classesOf), reported: 'all' };

/**
 * The classes whose checks find what that of a class needs: an id is looked up in the account of the key, and whether a
 * state allows a change depends on the stream and the body.
 */
const needsOf: Readonly<Record<ErrorClass, readonly ErrorClass[]>> = {
  key: [],
  'no-key': [],
  body: [],
  route: [],
  query: [],
  fields: ['body'],
  id: ['key', 'no-key'],
  state: ['id', 'body'],
};

/** A class, and one that no service reports before it. */
export type OrderedPair = readonly [first: ErrorClass, later: ErrorClass];

/** The classes of which one needs the other. */
export const fixedPairs: readonly OrderedPair[] = Object.entries(needsOf).flatMap(
  ([later, needs]) => needs.map((first) => [first, later as ErrorClass] as const),
);

/** Whether an order has each class once, and after those that it needs. */
function isPossibleOrder(order: readonly ErrorClass[], classes: readonly ErrorClass[]): boolean {
  const indexOf = (name: ErrorClass): number => order.indexOf(name);
  return (
    order.length === classes.length &&
    classes.every((name) => order.includes(name)) &&
    fixedPairs.every(([first, later]) => indexOf(later) === -1 || indexOf(first) < indexOf(later))
  );
}

function orderSchema(endpoint: Endpoint): z.ZodType {
  const classes = classesOf(endpoint);
  const expected = `an array with each of ${classes.join(', ')} once; body before fields and state, the keys before id, and id before state`;
  return z
    .array(z.enum(classes, `one of ${classes.join(', ')}`), expected)
    .refine((order) => isPossibleOrder(order as ErrorClass[], classes), expected)
    .exactOptional();
}

/** Schema of the orders in a dialect, which has those that are not the mock's own. */
export const ordersSchema: z.ZodType<Partial<Orders>> = z.strictObject(
  {
    ...byEndpoint(orderSchema),
    reported: z.enum(['all', 'first'], 'all or first').exactOptional(),
  },
  `an object of orders, by ${endpointNames.join(', ')}, and reported`,
) as unknown as z.ZodType<Partial<Orders>>;
