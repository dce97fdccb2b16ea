import type { Dialect } from '../../../interface/dialect.ts';
import { type Behaviours, usualBehaviours } from '../../../interface/silent.ts';
import type { WithoutKeys } from '../equal/without-keys.ts';
import type { Move } from '../moves/move.ts';
import { prepareCleaning } from '../run/clean.ts';
import { isLeftOpen } from '../run/left-open.ts';
import { type Clock, type LeaveOut, startRun } from '../run/run.ts';
import { type IsMasked, type Outcome, runSequence } from '../run/run-sequence.ts';
import type { Service, Two } from '../run/services.ts';
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
}

/** How a sequence is run. */
interface RunOptions {
  readonly isMasked?: IsMasked;
  /** Rows of the mock beside those of the dialect. */
  readonly rows?: Partial<Behaviours>;
}

/** Runs a sequence on both sides, on new streams, and cleans up. */
export async function runOnce(
  search: Search,
  moves: readonly Move[],
  { isMasked = () => false, rows = {} }: RunOptions = {},
): Promise<Outcome> {
  const { target, second, clock } = search;
  const other = second?.service ?? search.mocks(addRows(search.dialect, rows));
  const { patience, withoutKeys } = search;
  const leaveOut = leftOut(search, rows);
  const onAskAgain = (): void => {
    target.recorder.forgetLast();
    second?.recorder.forgetLast();
  };
  const services = [target.service, other] as const;
  // A mock ends with the sequence.
  const clean = prepareCleaning(second === undefined ? [target.service] : services);
  const run = startRun(
    { clock, patience, services, onAskAgain, leaveOut, withoutKeys },
    search.sharedLists,
  );
  const outcome = await runSequence(run, moves, isMasked, search.shouldStop);
  await clean(run.made.records);
  return outcome;
}

/** Runs a sequence with what was recorded as it ran with the same rows, on a clock of its own. */
export async function runRecorded(
  search: Search,
  moves: readonly Move[],
  services: (clock: Clock) => Two<Service>,
  { isMasked = () => false, rows = {} }: RunOptions,
): Promise<Outcome> {
  const { sharedLists, clock, withoutKeys } = search;
  let time = clock.now();
  const own: Clock = {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds;
    },
  };
  const leaveOut = leftOut(search, rows);
  // What was recorded does not change when it is asked for again.
  const settings = { services: services(own), leaveOut, clock: own, patience: 0, withoutKeys };
  return runSequence(startRun(settings, new Set(sharedLists)), moves, isMasked, () => false);
}

/** The requests that a run with these rows does not send: also those about which its mock says nothing. */
function leftOut(
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
