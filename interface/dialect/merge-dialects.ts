import { definitionOf } from './behaviours.ts';
import { type AnyDialect, currentDialect, type Dialect } from './dialect.ts';

/** One dialect of several, in which the later says what two say. Its name has the names of all. */
export function combineDialects(dialects: readonly Dialect[]): Dialect {
  return dialects.reduce((merged, { dialect: _, ...added }) => ({
    ...mergeDialects(merged, added),
    name: [merged.name, added.name].filter(Boolean).join(' + '),
  }));
}

/** A dialect in which everything that another one says takes the place of what it said itself. */
export function mergeDialects(given: AnyDialect, added: Omit<Dialect, 'dialect'>): Dialect {
  const dialect = currentDialect(given);
  const { refusals, errors, behaviours, orders, routes } = added;
  return {
    ...dialect,
    ...added,
    ...(refusals && { refusals: { ...dialect.refusals, ...refusals } }),
    ...(errors && { errors: mergeEach(dialect.errors ?? {}, errors, mergeEach) }),
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

/** Merges two objects of objects, and these with `merge`. */
function mergeEach<Table extends object>(
  table: Table,
  added: object,
  merge: (before: object, added: object) => object = mergeEntries,
): Table {
  const entries = Object.entries(added).map(([key, value]) => {
    const before: unknown = Reflect.get(table, key);
    return [key, merge(Object(before ?? {}), value)];
  });
  return { ...table, ...Object.fromEntries(entries) };
}

function mergeEntries(before: object, added: object): object {
  return { ...before, ...added };
}
