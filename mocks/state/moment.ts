import * as z from 'zod';

const timeSchema = z.int().describe('Milliseconds since 1970');

/** Something that happened to a world at a time of its clock, and that its sessions do not show. */
export type Moment = z.infer<typeof momentSchema>;

/**
 * Schema of a {@link Moment}: recording was switched, the clock was moved from `at` to `to`, or the fault with the id
 * `fault` has decided about the recording of a session.
 */
export const momentSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('recording'),
    at: timeSchema,
    streamId: z.string(),
    record: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('clock'), at: timeSchema, to: timeSchema }),
  z.strictObject({
    kind: z.literal('fault'),
    at: timeSchema,
    streamId: z.string(),
    sessionId: z.string(),
    fault: z.int(),
  }),
]);
