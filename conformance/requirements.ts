import { authenticationRequirements } from './checks/authentication.ts';
import { createRequirements } from './checks/create.ts';
import { listRequirements } from './checks/list.ts';
import { mediaRequirements } from './checks/media.ts';
import { observeRequirements } from './checks/observe.ts';
import { recordRequirements } from './checks/record.ts';
import type { Requirement } from './requirement.ts';

/** Every requirement of the interface, testable or not. */
export const requirements: readonly Requirement[] = [
  ...createRequirements,
  ...recordRequirements,
  ...listRequirements,
  ...authenticationRequirements,
  ...mediaRequirements,
  ...observeRequirements,
];
