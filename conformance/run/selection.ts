import { closest } from 'fastest-levenshtein';
import { optionError } from '../../option-error.ts';
import { requirements } from '../checks/catalogue.ts';
import type { Requirement } from '../checks/requirement.ts';
import { type Area, areas as allAreas, type Level, levels } from '../model/requirement.ts';

/** Which requirements a run judges; all of them by default. */
export interface Selection {
  /** The least binding level; default `observe`. */
  level?: Level;
  /** Only these areas; the verdict is then about them alone. */
  areas?: readonly Area[];
  /** Only the requirements with these ids; the verdict is then about them alone. */
  only?: readonly string[];
}

/**
 * The requirements that a run judges.
 * @throws TypeError, in one sentence, for unknown names and for a selection of nothing
 */
export function select({ level = 'observe', areas = allAreas, only }: Selection): Requirement[] {
  const unknownArea = areas.find((area) => !allAreas.includes(area));
  if (unknownArea !== undefined) {
    throw optionError(
      TypeError,
      'areas',
      `expected some of ${allAreas.join(', ')}, got ${JSON.stringify(unknownArea)}`,
    );
  }
  const unknown = only?.find((id) => !requirements.some((requirement) => requirement.id === id));
  if (unknown !== undefined) {
    throw optionError(TypeError, 'only', describeUnknownId(unknown, requirements));
  }
  const excluded = requirements.find(({ id, area }) => only?.includes(id) && !areas.includes(area));
  if (excluded !== undefined && areas.length > 0) {
    throw optionError(
      TypeError,
      'only',
      `expected requirements of ${areas.join(', ')}, got ${excluded.id}, which is in ${excluded.area}: the area and this id exclude each other`,
    );
  }
  const selected = requirements.filter(
    (requirement) =>
      levels.indexOf(requirement.level) <= levels.indexOf(level) &&
      areas.includes(requirement.area) &&
      (only === undefined || only.includes(requirement.id)),
  );
  if (selected.length === 0) {
    throw optionError(
      TypeError,
      'only',
      `expected requirements of level ${level} or more binding${areas === allAreas ? '' : ` in ${areas.join(', ')}`}, got none`,
    );
  }
  return selected;
}

/** What is wrong with an id that no requirement has, the nearest id, and where all are listed. */
export function describeUnknownId(id: string, known: readonly Requirement[]): string {
  const nearest = closest(
    id,
    known.map((requirement) => requirement.id),
  );
  return `expected the id of a requirement, perhaps ${nearest}, got ${JSON.stringify(id)}; livestream-mock check --mock --verbose shows all ids`;
}
