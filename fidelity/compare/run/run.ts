import { type Correspondence, createCorrespondence } from '../equal/correspondence.ts';
import { createMadeRecords, type MadeRecords } from './made-records.ts';
import type { Service, Two } from './side.ts';
import { createTiming, type Timing } from './timing.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** What a sequence is run with, and what it has shown so far. */
export interface Run {
  readonly services: Two<Service>;
  readonly made: MadeRecords;
  readonly timing: Timing;
  readonly correspondence: Correspondence;
  readonly clock: Clock;
  /** Milliseconds during which what time may change is asked again. */
  readonly patience: number;
}

/** Nothing is made and nothing is known yet. */
export function startRun(
  more: Pick<Run, 'services' | 'clock' | 'patience'> & Partial<Pick<Run, 'timing'>>,
  sharedLists: Set<string>,
): Run {
  return {
    timing: createTiming(),
    ...more,
    made: createMadeRecords(sharedLists),
    correspondence: createCorrespondence(),
  };
}
