import { accountVariants } from './account.ts';
import type { VariantName } from './families.ts';
import { identifierVariants } from './identifiers.ts';
import { latencyVariants } from './latency.ts';
import { listVariants } from './lists.ts';
import { mediaVariants } from './media.ts';
import { operationVariants } from './operations.ts';
import { recordingVariants } from './recordings.ts';
import { refusalVariants } from './refusals.ts';
import { shapeVariants } from './shapes.ts';
import type { Variant } from './variant.ts';

/** Every variant: a service that differs from the mock, and still keeps the interface. */
export const variants: Readonly<Record<VariantName, Variant>> = {
  ...listVariants,
  ...accountVariants,
  ...recordingVariants,
  ...shapeVariants,
  ...identifierVariants,
  ...refusalVariants,
  ...mediaVariants,
  ...latencyVariants,
  ...operationVariants,
};
