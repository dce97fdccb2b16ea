import * as z from 'zod';

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
const maxMoments = 1000;

/** Remembers a moment, and forgets the oldest one if there are too many. */
export function remember(moments: Moment[], moment: Moment): void {
  moments.push(moment);
  if (moments.length > maxMoments) moments.shift();
}
