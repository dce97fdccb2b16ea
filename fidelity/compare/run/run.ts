import { createIds } from '../equal/addresses.ts';
import { createBijection } from '../equal/bijection.ts';
import type { Correspondence } from '../equal/records.ts';
import { createTimeOrder } from '../equal/time-order.ts';
import type { WithoutKeys } from '../equal/without-keys.ts';
import type { Move } from '../moves/move.ts';
import type { DescribedRequest } from './describe-request.ts';
import { createMadeRecords, type MadeRecords } from './made-records.ts';
import type { Service, Two } from './services.ts';
import { createTiming, type Timing } from './timing.ts';

/** What a sequence is run with. */
export interface Run {
  readonly services: Two<Service>;
  readonly made: MadeRecords;
  readonly timing: Timing;
  readonly correspondence: Correspondence;
  readonly clock: Clock;
  /** Milliseconds during which what time may change is asked again; 0 for recorded responses. */
  readonly patience: number;
  /** Called before a request is sent again, as only time may be what differs. */
  readonly onAskAgain?: () => void;
  /** Requests that are not sent. */
  readonly leaveOut?: LeaveOut | undefined;
  readonly withoutKeys: WithoutKeys;
  /** A request that is not sent to the second side, and whether it was done there when it was sent. */
  readonly notSent?: NotSent | undefined;
}

export interface NotSent {
  readonly move: Move;
  readonly isDone: boolean;
}

/** Whether a request is left out of every sequence. */
export type LeaveOut = (described: DescribedRequest) => boolean;

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** Nothing is made and nothing is known yet. */
export function startRun(
  more: Pick<
    Run,
    'services' | 'clock' | 'patience' | 'onAskAgain' | 'leaveOut' | 'withoutKeys' | 'notSent'
  >,
  sharedLists: Set<string>,
): Run {
  return {
    ...more,
    made: createMadeRecords(sharedLists),
    timing: createTiming(),
    correspondence: {
      ids: createIds(),
      hosts: createBijection(),
      addresses: createBijection(),
      times: createTimeOrder(),
    },
  };
}
