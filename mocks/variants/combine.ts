import { definitionOf } from '../../interface/dialect/behaviours.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { orNearest } from '../../text/nearest-name.ts';
import { optionError } from '../../text/option-error.ts';
import type { Rewrite } from '../messages/client-request.ts';
import { together } from './rewrite.ts';
import type { VariantOptions } from './variant.ts';
import { type VariantName, variantNames, variants } from './variants.ts';

/** Some variants at the same time. */
export interface Combination {
  /** Their names, in the order of the table. */
  readonly names: readonly VariantName[];
  readonly options: VariantOptions;
  readonly rewrite: Rewrite;
  /** Makes a service of another dialect behave like them, too. */
  addTo(dialect: Dialect | undefined): Dialect;
}

/** The families that two variants have in common. If there are any, the two contradict each other. */
function sharedFamilies(left: VariantName, right: VariantName): string[] {
  return variants[left].families.filter((family) => variants[right].families.includes(family));
}

/**
 * Reads the names of variants, joined by `+`.
 * @throws RangeError that names the option `variant`, for an unknown name and for variants that contradict each other.
 */
export function readVariants(text: string): VariantName[] {
  const given = String(text).split('+');
  const unknown = given.find((name) => !variantNames.some((known) => known === name));
  if (unknown !== undefined) {
    const expected = `the name of a variant${orNearest(unknown, variantNames)}`;
    throw optionError(RangeError, 'variant', `expected ${expected}, got "${unknown}"`);
  }
  const names = variantNames.filter((name) => given.includes(name));
  refuseContradictions(names);
  return names;
}

/** What a service with some variants does, in a line for each. */
export function describeVariants(names: readonly VariantName[]): string[] {
  return names.map((name) => `${name}: ${variants[name].statement}`);
}

function refuseContradictions(names: readonly VariantName[]): void {
  for (const [index, left] of names.entries()) {
    for (const right of names.slice(index + 1)) {
      const [family] = sharedFamilies(left, right);
      if (family === undefined) continue;
      const reason = `expected variants that do not contradict each other, got ${left} and ${right}, which are both about the ${family}`;
      throw optionError(RangeError, 'variant', reason);
    }
  }
}

/** Combines variants that do not contradict each other. */
export function combineVariants(names: readonly VariantName[]): Combination {
  const rows = names.map((name) => variants[name]);
  return {
    names,
    options: Object.assign({}, ...rows.map(({ options = {} }) => options)),
    rewrite: together(...rows.flatMap(({ rewrite = [] }) => rewrite)),
    addTo: (dialect = { dialect: 2 }) =>
      rows.reduce((merged, { dialect: added = {} }) => mergeDialects(merged, added), dialect),
  };
}

/** A dialect in which everything that another one says takes the place of what it said itself. */
function mergeDialects(dialect: Dialect, added: Omit<Dialect, 'dialect'>): Dialect {
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
