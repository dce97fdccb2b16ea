import { requirements } from '../checks/catalogue.ts';
import type { Requirement } from '../checks/requirement.ts';
import { type Area, areas as allAreas, type Level, levels } from '../model/requirement.ts';

/** Which requirements a run judges; all of them by default. */
export interface Selection {
  /** The least binding level; default `observe`. */
  level?: Level;
  /** Only these areas; the verdict is then about them alone. */
  areas?: readonly Area[];
  /** Only the requirements with these ids. */
  only?: readonly string[];
}

/**
 * The requirements that a run judges.
 * @throws TypeError, in one sentence, for unknown names and for a selection of nothing
 */
export function select({ level = 'observe', areas = allAreas, only }: Selection): Requirement[] {
  const unknownArea = areas.find((area) => !allAreas.includes(area));
  if (unknownArea !== undefined) {
    throw new TypeError(
      `areas: expected some of ${allAreas.join(', ')}, got ${JSON.stringify(unknownArea)}`,
    );
  }
  const unknown = only?.find((id) => !requirements.some((requirement) => requirement.id === id));
  if (unknown !== undefined) {
    throw new TypeError(`only: expected ids of requirements, got ${JSON.stringify(unknown)}`);
  }
  const selected = requirements.filter(
    (requirement) =>
      levels.indexOf(requirement.level) <= levels.indexOf(level) &&
      areas.includes(requirement.area) &&
      (only === undefined || only.includes(requirement.id)),
  );
  if (selected.length === 0) {
    throw new TypeError(
      `only: expected requirements of level ${level} or more binding${areas === allAreas ? '' : ` in ${areas.join(', ')}`}, got none`,
    );
  }
  return selected;
}
