import { optionError } from '../../option-error.ts';
import { requirements } from '../checks/catalogue.ts';
import type { Requirement } from '../checks/requirement.ts';
import { areas as allAreas, levels } from '../model/requirement.ts';
import type { RunOptions } from '../run.ts';

/**
 * The requirements that a run is of.
 * @throws TypeError, in one sentence, for unknown names, and where nothing is left to run.
 */
export function select({
  level = 'observe',
  areas = allAreas,
  only,
}: Pick<RunOptions, 'level' | 'areas' | 'only'>): Requirement[] {
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
    const expected = 'expected ids of requirements';
    throw optionError(TypeError, 'only', `${expected}, got ${JSON.stringify(unknown)}`);
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
