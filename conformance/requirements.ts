import { authenticationRequirements } from './checks/authentication.ts';
import { createRequirements } from './checks/create.ts';
import { inheritanceRequirements } from './checks/inheritance.ts';
import { listRequirements } from './checks/list.ts';
import { mediaRequirements } from './checks/media.ts';
import { observeRequirements } from './checks/observe.ts';
import { recordRequirements } from './checks/record.ts';
import { sessionFieldRequirements } from './checks/session-fields.ts';
import { streamFieldRequirements } from './checks/stream-fields.ts';
import { areas, type Requirement } from './requirement.ts';

/** Every requirement of the interface, testable or not, by area and number. */
export const requirements: readonly Requirement[] = [
  ...createRequirements,
  ...streamFieldRequirements,
  ...recordRequirements,
  ...inheritanceRequirements,
  ...listRequirements,
  ...sessionFieldRequirements,
  ...authenticationRequirements,
  ...mediaRequirements,
  ...observeRequirements,
].toSorted(
  (left, right) =>
    areas.indexOf(left.area) - areas.indexOf(right.area) || numberOf(left) - numberOf(right),
);

function numberOf({ id }: Requirement): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
