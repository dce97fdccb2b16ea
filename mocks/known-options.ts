import { nearestName, optionError } from '../option-error.ts';
import { describeValue } from './messages/problem.ts';

/**
 * Refuses options that are not an object, and keys that are not options.
 * @throws TypeError, with the nearest option where one is similar.
 */
export function refuseUnknownOptions(options: object, known: Readonly<Record<string, true>>): void {
  const refuse = (reason: string): never => {
    throw optionError(TypeError, 'options', reason);
  };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    refuse(`expected an object, got ${describeValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const nearest = nearestName(unknown, names);
  const advice = nearest === undefined ? '' : `; perhaps ${nearest}`;
  refuse(`expected known keys (${names.join(', ')}), got ${describeValue(unknown)}${advice}`);
}
