import { definitionOf } from './behaviours.ts';
import type { Dialect } from './dialect.ts';

/** A dialect in which everything that another one says takes the place of what it said itself. */
export function mergeDialects(dialect: Dialect, added: Omit<Dialect, 'dialect'>): Dialect {
  const { refusals, behaviours, orders, routes } = added;
  return {
    ...dialect,
    ...added,
    ...(refusals && { refusals: mergeEach(dialect.refusals ?? {}, refusals) }),
    ...(behaviours && { behaviours: mergeBehaviours(dialect.behaviours ?? {}, behaviours) }),
    ...(orders && { orders: { ...dialect.orders, ...orders } }),
    ...(routes && { routes: [...(dialect.routes ?? []), ...routes] }),
  };
}

type Behaviours = Dialect['behaviours'] & object;

/** A behaviour with several names keeps those that are not changed. */
function mergeBehaviours(behaviours: Behaviours, added: Behaviours): Behaviours {
  const isNamed = (id: string) => definitionOf(id as keyof Behaviours).isNamed === true;
  const named = Object.entries(added).filter(([id]) => isNamed(id));
  const whole = Object.entries(added).filter(([id]) => !isNamed(id));
  return { ...mergeEach(behaviours, Object.fromEntries(named)), ...Object.fromEntries(whole) };
}

/** Merges two objects of objects. */
function mergeEach<Table extends object>(table: Table, added: object): Table {
  const entries = Object.entries(added).map(([key, value]) => {
    const before: unknown = Reflect.get(table, key);
    return [key, { ...(before as object | undefined), ...value }];
  });
  return { ...table, ...Object.fromEntries(entries) };
}
