import type { Dialect } from '../../../interface/dialect/dialect.ts';
import { mergeDialects } from '../../../interface/dialect/merge-dialects.ts';
import { orNearest } from '../../../text/nearest-name.ts';
import { optionError } from '../../../text/option-error.ts';
import type { Rewrite } from '../../messages/client-request.ts';
import { together } from '../rewrite.ts';
import type { VariantOptions } from '../variant.ts';
import { type VariantName, variantNames, variants } from '../variants.ts';

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
export function sharedFamilies(left: VariantName, right: VariantName): string[] {
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
