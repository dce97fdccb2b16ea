import { orNearest } from '../../text/nearest-name.ts';
import { optionError } from '../../text/option-error.ts';
import { requirements } from '../checks/catalogue.ts';
import type { Requirement } from '../checks/requirement.ts';
import { type Area, areas as allAreas, type Level, levels } from '../model/requirement-facts.ts';

/** Which requirements a run judges; all of them by default. */
export interface Scope {
  /** The least binding level; default `observe`. */
  level?: Level;
  /** Only these areas; the verdict is then about them alone. */
  areas?: readonly Area[];
  /** Only the requirements with these ids; the verdict is then about them alone. */
  only?: readonly string[];
}

/**
 * The requirements that a run judges.
 * @throws TypeError with a one-sentence message for unknown names and for an empty selection.
 */
export function selectRequirements(scope: Scope): Requirement[] {
  const { level = 'observe', areas = allAreas, only } = scope;
  const unknownArea = areas.find((area) => !allAreas.includes(area));
  if (unknownArea !== undefined) {
    const expected = `expected some of ${allAreas.join(', ')}`;
    throw optionError(TypeError, 'areas', `${expected}, got ${JSON.stringify(unknownArea)}`);
  }
  const unknownId = only?.find((id) => !requirements.some((requirement) => requirement.id === id));
  if (unknownId !== undefined) {
    throw optionError(TypeError, 'only', describeUnknownId(unknownId, requirements));
  }
  const selected = requirements.filter(
    (requirement) =>
      levels.indexOf(requirement.level) <= levels.indexOf(level) &&
      areas.includes(requirement.area) &&
      (only === undefined || only.includes(requirement.id)),
  );
  if (selected.length > 0) return selected;
  const where = areas === allAreas ? '' : ` in ${areas.join(', ')}`;
  const of = only === undefined ? '' : ` of ${only.join(', ')}`;
  const expected = `at least one requirement${of} at level ${level}${where}`;
  const option = only === undefined ? 'level' : 'only';
  throw optionError(TypeError, option, `expected ${expected}, got none`);
}

/** Says that an id is unknown, which id is nearest, and how to list all ids. */
export function describeUnknownId(id: string, known: readonly Requirement[]): string {
  const ids = known.map((requirement) => requirement.id);
  return `expected the id of a requirement${orNearest(id, ids)}, got ${JSON.stringify(id)}; livestream-mock check --mock --verbose shows all ids`;
}
