import type { StreamRecord } from '../../interface/types.ts';
import type { AdjustableClock } from '../state/clock.ts';
import type { State } from '../state/state.ts';

/** Something that was done to a world on its clock, beside what its sessions tell. */
export type Moment = RecordingMoment | ClockMoment;

/** Recording was switched. */
interface RecordingMoment {
  readonly kind: 'recording';
  /** Milliseconds since 1970 on the world's clock. */
  readonly at: number;
  readonly streamId: string;
  readonly record: boolean;
}

/** The clock was advanced or set. */
interface ClockMoment {
  readonly kind: 'clock';
  /** What the clock showed before: milliseconds since 1970. */
  readonly at: number;
  /** What it showed then. */
  readonly to: number;
}

/** Most moments that a world remembers. */
const mostMoments = 1000;

/** A world as far as its moments need it. */
interface Remembering {
  readonly moments: Moment[];
  readonly state: State;
  readonly clock: AdjustableClock;
}

/** Remembers of which streams an update switches recording; it is called before that is applied. */
export function rememberSwitches(
  { moments, state, clock }: Remembering,
  streams: readonly StreamRecord[],
): void {
  for (const { id, record } of streams) {
    const before = state.records.stream(id);
    if (before === undefined || before.record === record) continue;
    remember(moments, { kind: 'recording', at: clock.now(), streamId: id, record });
  }
}

/** Remembers a moment, and forgets the oldest one if there are too many. */
export function remember(moments: Moment[], moment: Moment): void {
  moments.push(moment);
  if (moments.length > mostMoments) moments.shift();
}
