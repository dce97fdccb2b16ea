import { accountVariants } from './account.ts';
import { identifierVariants } from './identifiers.ts';
import { latencyVariants } from './latency.ts';
import { listVariants } from './lists.ts';
import { mediaVariants } from './media.ts';
import { operationVariants } from './operations.ts';
import { recordingVariants } from './recordings.ts';
import { refusalVariants } from './refusals.ts';
import { shapeVariants } from './shapes.ts';
import type { Variant, VariantTable } from './variant.ts';

/** Every variant: a service that differs from the mock, and still keeps the interface. The most telling come first. */
const table = {
  ...listVariants,
  ...accountVariants,
  ...recordingVariants,
  ...shapeVariants,
  ...identifierVariants,
  ...refusalVariants,
  ...mediaVariants,
  ...latencyVariants,
  ...operationVariants,
} as const satisfies VariantTable;

/** The name of a variant. */
export type VariantName = keyof typeof table;

/** The name of a variant, or several joined by `+`. */
export type VariantText = VariantName | `${VariantName}+${string}`;

export const variants: Readonly<Record<VariantName, Variant>> = table;

/** Every name, the most telling first. */
export const variantNames: readonly VariantName[] = Object.keys(table) as VariantName[];
