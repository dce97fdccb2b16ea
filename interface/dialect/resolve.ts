import { jsonType } from '../default-headers.ts';
import { type Behaviours, behaviourIds, defaultBehaviours, definitionOf } from './behaviours.ts';
import type { RefusalBody } from './cells.ts';
import type { Dialect, StaticRoute, WrittenBehaviours } from './dialect.ts';
import { defaultOrders, type Orders } from './orders.ts';
import { defaultMatrix, type Matrix, readRefusals } from './refusals.ts';

/** A dialect with the mock's own values for everything that it leaves out, as the mock looks it up. */
export interface ResolvedDialect {
  readonly refusalBody: RefusalBody;
  readonly refusals: Matrix;
  readonly orders: Orders;
  readonly behaviours: Behaviours;
  readonly routes: readonly StaticRoute[];
}

/** What the mock does without a dialect. */
export const defaultDialect: ResolvedDialect = {
  refusalBody: { type: jsonType, json: { errors: ['{message}'] } },
  refusals: defaultMatrix,
  orders: defaultOrders,
  behaviours: defaultBehaviours,
  routes: [],
};

/** Completes a dialect with the mock's own values. Without a dialect, it returns {@link defaultDialect} itself. */
export function resolveDialect(dialect: Dialect | undefined): ResolvedDialect {
  if (dialect === undefined) return defaultDialect;
  const { refusals = {}, orders, behaviours = {} } = dialect;
  return {
    refusalBody: dialect.refusalBody ?? defaultDialect.refusalBody,
    refusals: readRefusals(refusals),
    orders: { ...defaultOrders, ...orders },
    behaviours: readBehaviours(behaviours),
    routes: dialect.routes ?? [],
  };
}

function readBehaviours(behaviours: WrittenBehaviours): Behaviours {
  const entries = behaviourIds.map((id) => {
    const { isNamed, defaultValue } = definitionOf(id);
    const value = behaviours[id] === undefined ? defaultValue : behaviours[id];
    return [id, isNamed ? { ...(defaultValue as object), ...(value as object) } : value];
  });
  return Object.fromEntries(entries) as unknown as Behaviours;
}
