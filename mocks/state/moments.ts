import * as z from 'zod';
import type { StreamRecord } from '../../interface/types.ts';
import type { AdjustableClock } from './clock.ts';
import type { State } from './state.ts';

const time = z.int().describe('Milliseconds since 1970');

/** Something that was done to a world on its clock, beside what its sessions tell. */
export type Moment = z.infer<typeof momentSchema>;

/** Schema of a {@link Moment}: recording was switched, or the clock was moved from `at` to `to`. */
export const momentSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('recording'),
    at: time,
    streamId: z.string(),
    record: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('clock'), at: time, to: time }),
]);

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
