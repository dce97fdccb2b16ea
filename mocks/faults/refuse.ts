import { describeValue, Problem } from '../problems/problem.ts';
import type { EffectName, Fault } from './effects/effects.ts';
import type { FaultsState } from './fault.ts';

/** Effects that an integration cannot produce, each with why, and what can. */
export type UnableEffects = Readonly<Partial<Record<EffectName, string>>>;

/**
 * Refuses a fault that could never have its effect.
 * @throws Problem 422, which says what can produce it.
 */
export function refuseUnable({ effect }: Fault, unable: UnableEffects, path = 'effect'): void {
  const advice = unable[effect];
  if (advice === undefined) return;
  throw new Problem('invalid', {
    path,
    expected: 'one that this integration can produce',
    got: describeValue(effect),
    advice,
  });
}

/**
 * Refuses faults that no world of this mock can have.
 * @throws Problem 400 when they contradict each other, 422 for an effect that cannot be produced.
 */
export function refuseFaults({ reports, added }: FaultsState, unable: UnableEffects): void {
  const seen = new Set<number>();
  for (const [index, { id, fault }] of reports.entries()) {
    const path = `faults.reports[${index}]`;
    refuseUnable(fault, unable, `${path}.fault.effect`);
    if (seen.has(id)) {
      throw new Problem('refused', {
        path: `${path}.id`,
        expected: 'every id once',
        got: `${describeValue(id)} twice`,
      });
    }
    seen.add(id);
    if (id > added) {
      throw new Problem('refused', {
        path: `${path}.id`,
        expected: `at most ${added}, which is added`,
        got: id,
      });
    }
  }
}
