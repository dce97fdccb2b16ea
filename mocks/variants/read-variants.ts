import { orNearest } from '../../text/nearest-name.ts';
import { optionError } from '../../text/option-error.ts';
import { type VariantName, variantFamilies, variantNames } from './families.ts';

/** What each variant is about. */
const families: Readonly<Record<VariantName, readonly string[]>> = variantFamilies;

/** The families that two variants have in common. If there are any, the two contradict each other. */
export function sharedFamilies(left: VariantName, right: VariantName): string[] {
  return families[left].filter((family) => families[right].includes(family));
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
