import { areas } from '../model/requirement-facts.ts';
import { authenticationRequirements } from './authentication.ts';
import { createRequirements } from './create.ts';
import { inheritanceRequirements } from './inheritance.ts';
import { listRequirements } from './list.ts';
import { mediaRequirements } from './media.ts';
import { observeRequirements } from './observe.ts';
import { recordRequirements, sessionsAreReadOnly } from './record.ts';
import type { Requirement } from './requirement.ts';
import { streamFieldRequirements } from './stream-fields.ts';

/** Requirements whose checks judge a target. */
export const judgedRequirements = [
  ...createRequirements,
  ...streamFieldRequirements,
  ...recordRequirements,
  ...inheritanceRequirements,
  ...listRequirements,
  ...authenticationRequirements,
  ...mediaRequirements,
] as const;

/** The id of a requirement that has a check which judges a target. */
export type JudgedRequirementId = (typeof judgedRequirements)[number]['id'];

/** Every requirement of the interface, testable or not, sorted by area and number. */
export const requirements: readonly Requirement[] = [
  ...judgedRequirements,
  sessionsAreReadOnly,
  ...observeRequirements,
].toSorted(
  (left, right) =>
    areas.indexOf(left.area) - areas.indexOf(right.area) || numberOf(left) - numberOf(right),
);

function numberOf({ id }: Requirement): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
