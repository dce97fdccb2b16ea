import type { Dialect } from '../../../interface/dialect.ts';
import { type Behaviours, usualBehaviours } from '../../../interface/silent.ts';
import type { WithoutKeys } from '../equal/without-keys.ts';
import { isLeftOpen } from '../run/left-open.ts';
import type { Clock, LeaveOut } from '../run/run.ts';
import type { IsMasked } from '../run/run-sequence.ts';
import type { Service } from '../run/services.ts';
import type { Side } from './sides.ts';

/** Where sequences are run: on a target, and on a second one or on new mocks. */
export interface Search {
  readonly target: Side;
  /** Absent where mocks are what the target is compared with. */
  readonly second: Side | undefined;
  readonly dialect: Dialect | undefined;
  /** Whether to look for the row that explains a difference; never where two targets are compared. */
  readonly explains: boolean;
  /** A mock with a dialect, on which no sequence was run. */
  readonly mocks: (dialect: Dialect) => Service;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly patience: number;
  readonly shouldStop: () => boolean;
  /** Whether the time of the search is over: what is shown then is not made shorter. */
  readonly isOver: () => boolean;
  /** Lists in which the targets show what others made. */
  readonly sharedLists: Set<string>;
  /** API keys, also those that are almost right: no report may show them. */
  readonly secrets: readonly string[];
  readonly withoutKeys: WithoutKeys;
  /** Requests that are not sent. */
  readonly leaveOut: LeaveOut | undefined;
  /** Whether a side did not respond to some request. */
  readonly mayNotRespond: () => boolean;
}

/** How a sequence is run. */
export interface RunOptions {
  readonly isMasked?: IsMasked;
  /** Rows of the mock beside those of the dialect. */
  readonly rows?: Partial<Behaviours>;
}

/** The requests that a run with these rows does not send: also those about which its mock says nothing. */
export function leftOut(
  { second, dialect, leaveOut }: Search,
  rows: Partial<Behaviours>,
): LeaveOut | undefined {
  if (second !== undefined) return leaveOut;
  const behaviours = { ...usualBehaviours, ...dialect?.rows, ...rows };
  return (described) => isLeftOpen(described.request, behaviours) || leaveOut?.(described) === true;
}

/** A dialect with further rows. */
export function addRows(dialect: Dialect | undefined, rows: Partial<Behaviours>): Dialect {
  const { breaks } = dialect ?? {};
  return {
    format: 'livestream-mock/dialect',
    version: 1,
    rows: { ...dialect?.rows, ...rows },
    ...(breaks && { breaks }),
  };
}
