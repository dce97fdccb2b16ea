import * as z from 'zod';

/** A world that a mock has open, by its key: `GET /_mock/worlds` returns these if the keys are no secrets. */
export type KnownWorld = z.infer<typeof knownWorldSchema>;

/** Schema of a {@link KnownWorld}. */
export const knownWorldSchema = z.strictObject({
  apiKey: z.string(),
  requests: z.int().describe('The number of requests in its journal'),
});
