import { describeUnmatched } from './describe.ts';
import type { FaultReport } from './fault.ts';

/**
 * Fails where a fault has met nothing: then nobody has tested what it was added for.
 * @throws Error which names every such fault.
 */
export function requireFaultsMet({ faults }: { readonly faults: readonly FaultReport[] }): void {
  const unmatched = faults.filter(({ matched }) => matched === 0);
  if (unmatched.length === 0) return;
  throw new Error(
    `${unmatched.map(describeUnmatched).join('; ')}; if that is meant to be so, end with mock.removeFaults()`,
  );
}
