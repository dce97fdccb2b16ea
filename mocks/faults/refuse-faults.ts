import { describeValue, Problem } from '../problems/problem.ts';
import type { FaultsState } from './fault.ts';
import { refuseUnable, type UnableEffects } from './unable.ts';

/**
 * Refuses faults that no world here can have.
 * @throws Problem 400 when they contradict each other, 422 for an effect that the door cannot do.
 */
export function refuseFaults({ reports, added }: FaultsState, unable: UnableEffects): void {
  const seen = new Set<number>();
  reports.forEach(({ id, fault }, index) => {
    const where = `faults.reports[${index}]`;
    refuseUnable(fault, unable, `${where}.fault.effect`);
    if (seen.has(id)) {
      throw new Problem('refused', {
        path: `${where}.id`,
        expected: 'every id once',
        got: `${describeValue(id)} twice`,
      });
    }
    seen.add(id);
    if (id > added) {
      throw new Problem('refused', {
        path: `${where}.id`,
        expected: `at most ${added}, which is added`,
        got: id,
      });
    }
  });
}
