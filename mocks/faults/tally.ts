import type { Fault, FaultReport } from './fault.ts';

/** Counts what the faults that a mock was made with have met, in all its worlds and beyond resets. */
export interface FaultTally {
  /** Counts a match, where it is one of these faults. */
  count(fault: Fault): void;
  reports(): FaultReport[];
}

/** Makes the tally of a mock's faults. */
export function createFaultTally(faults: readonly Fault[]): FaultTally {
  const counted = faults.map((fault) => ({ fault, name: nameOf(fault), matched: 0 }));
  return {
    count(fault) {
      if (counted.length === 0) return;
      const name = nameOf(fault);
      for (const one of counted) if (one.name === name) one.matched += 1;
    },
    reports: () =>
      counted.map(({ fault, matched }, index) => ({
        id: index + 1,
        fault: structuredClone(fault),
        matched,
      })),
  };
}

function nameOf(fault: Fault): string {
  return JSON.stringify(fault);
}
