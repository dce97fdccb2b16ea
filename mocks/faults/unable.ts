import { describeValue, Problem } from '../problems/problem.ts';
import type { EffectName, Fault } from './fault.ts';

/** Effects that the door of a mock cannot do, each with why, and what can. */
export type UnableEffects = Readonly<Partial<Record<EffectName, string>>>;

/**
 * Refuses a fault that could never show.
 * @throws Problem 422, which says which door can do it.
 */
export function refuseUnable({ effect }: Fault, unable: UnableEffects, where = 'effect'): void {
  const reason = unable[effect];
  if (reason === undefined) return;
  throw new Problem('invalid', {
    path: where,
    expected: 'one that this door can do',
    got: describeValue(effect),
    advice: reason,
  });
}
