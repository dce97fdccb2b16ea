import type { Dialect } from '../../../interface/dialect/dialect.ts';
import { mergeDialects } from '../../../interface/dialect/merge-dialects.ts';
import type { Rewrite } from '../../messages/client-request.ts';
import type { VariantName } from '../families.ts';
import { together } from '../rewrite.ts';
import type { VariantOptions } from '../variant.ts';
import { variants } from '../variants.ts';

/** Some variants at the same time. */
export interface Combination {
  /** Their names, in the order of the table. */
  readonly names: readonly VariantName[];
  readonly options: VariantOptions;
  readonly rewrite: Rewrite;
  /** Makes a service of another dialect behave like them, too. */
  addTo(dialect: Dialect | undefined): Dialect;
}

/** What a service with some variants does, in a line for each. */
export function describeVariants(names: readonly VariantName[]): string[] {
  return names.map((name) => `${name}: ${variants[name].statement}`);
}

/** Combines variants that do not contradict each other. */
export function combineVariants(names: readonly VariantName[]): Combination {
  const rows = names.map((name) => variants[name]);
  return {
    names,
    options: Object.assign({}, ...rows.map(({ options = {} }) => options)),
    rewrite: together(...rows.flatMap(({ rewrite = [] }) => rewrite)),
    addTo: (dialect = { dialect: 3 }) =>
      rows.reduce((merged, { dialect: added = {} }) => mergeDialects(merged, added), dialect),
  };
}
