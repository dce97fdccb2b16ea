import { behaviourIds, definitionOf } from '../../interface/dialect/behaviours.ts';
import type { Cell } from '../../interface/dialect/cells.ts';
import type { Dialect, StaticRoute, WrittenBehaviours } from '../../interface/dialect/dialect.ts';
import { defaultOrders } from '../../interface/dialect/orders.ts';
import { defaultDialect } from '../../interface/dialect/resolve.ts';
import { cellName } from '../../interface/dialect/statements.ts';
import { writeErrors } from '../../interface/dialect/written-errors.ts';
import { isSameJson } from '../../interface/json.ts';
import { version } from '../../package.json' with { type: 'json' };
import { usualFormOf, withoutForm } from './cells/observed-refusals.ts';
import { type Observations, valuesIn } from './probing/prober.ts';

/** The dialect that says what was observed. What is as in the mock is left out, except what a refusal usually is. */
export function toDialect(observed: Observations): Dialect {
  const values = valuesIn(observed);
  const refusalBody = usualFormOf([...values.values()], defaultDialect.refusalBody);
  const writtenValue = (name: string): unknown => withoutForm(values.get(name), refusalBody);
  const writtenValues = (part: string, names: readonly string[]): object => {
    const observedNames = names.filter((name) => values.has(`${part}.${name}`));
    return Object.fromEntries(observedNames.map((name) => [name, writtenValue(`${part}.${name}`)]));
  };
  const answers = [...values].filter(([name]) => name.startsWith('routes.'));
  const routes = answers.flatMap(([, route]) => route ?? []);
  return orderedDialect({
    dialect: 3,
    about: `What one service does where the interface is silent, as livestream-mock ${version} learned it.`,
    refusalBody,
    ...writeErrors((endpoint, error) => writtenValue(cellName(endpoint, error)) as Cell),
    orders: differing(writtenValues('orders', Object.keys(defaultOrders)), defaultOrders),
    behaviours: writeBehaviours(writtenValues('behaviours', behaviourIds)),
    routes: (routes as StaticRoute[]).toSorted(byPath),
  });
}

/** A path with `{id}` comes after more exact ones, because the mock takes the first that fits. */
function byPath(left: StaticRoute, right: StaticRoute): number {
  return sortKeyOf(left) < sortKeyOf(right) ? -1 : 1;
}

/** The path and the method, with `{id}` after any other segment. */
function sortKeyOf({ path, method }: StaticRoute): string {
  return `${path.replaceAll('{', '\uffff')} ${method}`;
}

/** The behaviours that are not the mock's own, in the order of the table. */
export function writeBehaviours(behaviours: WrittenBehaviours): WrittenBehaviours {
  const entries = behaviourIds.flatMap((id) => {
    const { isNamed, defaultValue } = definitionOf(id);
    const value = behaviours[id];
    if (value === undefined) return [];
    const written = isNamed ? differing(Object(value), Object(defaultValue)) : value;
    return isSameJson(written, isNamed ? {} : defaultValue) ? [] : [[id, written] as const];
  });
  return Object.fromEntries(entries);
}

/** The entries of an object that differ from the defaults. */
function differing<Whole extends object>(value: Partial<Whole>, defaults: Whole) {
  const byKey = new Map(Object.entries(defaults));
  const entries = Object.entries(value).filter(([key, json]) => !isSameJson(json, byKey.get(key)));
  return Object.fromEntries(entries) as Partial<Whole>;
}

/** A dialect as a file has it: its parts in order, without empty ones. */
export function orderedDialect({ $schema, name, about, ...parts }: Dialect): Dialect {
  const { refusalBody, refusals, errors, orders, behaviours, routes } = parts;
  const ordered = {
    $schema,
    dialect: 3,
    name,
    about,
    refusalBody,
    refusals,
    errors,
    orders,
    behaviours,
    routes,
  };
  const emptyParts = [{}, [], defaultDialect.refusalBody];
  const filled = Object.entries(ordered).filter(
    ([, part]) => part !== undefined && !emptyParts.some((empty) => isSameJson(part, empty)),
  );
  return Object.fromEntries(filled) as unknown as Dialect;
}
