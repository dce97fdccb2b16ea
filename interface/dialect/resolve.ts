import { jsonType } from '../default-responses.ts';
import { type Behaviours, behaviourIds, defaultBehaviours, definitionOf } from './behaviours.ts';
import type { RefusalBody } from './cells.ts';
import {
  type AnyDialect,
  currentDialect,
  type StaticRoute,
  type WrittenBehaviours,
} from './dialect.ts';
import { defaultMatrix, type Matrix } from './matrix.ts';
import { defaultOrders, type Orders } from './orders.ts';
import { readErrors } from './written-errors.ts';

/** A dialect with the mock's own values for everything that it leaves out, as the mock looks it up. */
export interface ResolvedDialect {
  readonly refusalBody: RefusalBody;
  /** What happens to each error in each operation. */
  readonly cells: Matrix;
  readonly orders: Orders;
  readonly behaviours: Behaviours;
  readonly routes: readonly StaticRoute[];
}

/** What the mock does without a dialect. */
export const defaultDialect: ResolvedDialect = {
  refusalBody: { type: jsonType, json: { errors: ['{message}'] } },
  cells: defaultMatrix,
  orders: defaultOrders,
  behaviours: defaultBehaviours,
  routes: [],
};

/** Completes a dialect with the mock's own values. Without a dialect, it returns {@link defaultDialect} itself. */
export function resolveDialect(given: AnyDialect | undefined): ResolvedDialect {
  if (given === undefined) return defaultDialect;
  const dialect = currentDialect(given);
  const { orders, routes = [] } = dialect;
  const behaviours = readBehaviours(dialect.behaviours ?? {});
  return {
    refusalBody: dialect.refusalBody ?? defaultDialect.refusalBody,
    cells: readErrors(dialect),
    orders: { ...defaultOrders, ...orders },
    behaviours,
    routes: routes.map((route) => withType(route, behaviours['http.json-type'])),
  };
}

/** A static route with the content type of its body, if it has one. */
function withType(route: StaticRoute, jsonTypeOfService: string): StaticRoute {
  if (route.json !== undefined) return { type: jsonTypeOfService, ...route };
  return route.text === undefined ? route : { type: 'text/plain', ...route };
}

function readBehaviours(behaviours: WrittenBehaviours): Behaviours {
  const entries = behaviourIds.map((id) => {
    const { isNamed, defaultValue } = definitionOf(id);
    const value = behaviours[id] === undefined ? defaultValue : behaviours[id];
    return [id, isNamed ? { ...(defaultValue as object), ...(value as object) } : value];
  });
  return Object.fromEntries(entries) as unknown as Behaviours;
}
