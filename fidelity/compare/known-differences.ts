import * as z from 'zod';
import { parseReviewed } from '../../text/reviewed-file.ts';
import type { Difference } from './comparison.ts';

/** The reason in an entry that a report prints, until somebody writes another. */
const reasonToWrite = 'write why it is accepted';

const expectedCount = 'a whole number of at least 0';
const count = z.int(expectedCount).min(0, expectedCount);

const knownSchema = z.strictObject(
  {
    // Its name, as reports print it.
    difference: z.string('a difference'),
    reason: z
      .string('a reason')
      .refine((text) => text !== reasonToWrite, `your own reason in place of "${reasonToWrite}"`),
    // The random sequence that shows it, which is run first. Without it, the difference need not appear.
    seed: count.exactOptional(),
    sequence: count.exactOptional(),
  },
  'an object with only difference and reason, and perhaps seed and sequence',
);

/** An accepted difference: an entry of a file of known differences. */
export type KnownDifference = z.infer<typeof knownSchema>;

/** Reads a file of known differences. @throws TypeError, in one sentence, for another text */
export function parseKnown(text: string): readonly KnownDifference[] {
  const known = z.array(knownSchema, 'an array');
  const schema = z.strictObject({ known }, 'an object with only the key known');
  return parseReviewed(text, schema).known;
}

/** The entry for a file of known differences, on one line, or why a known difference is accepted. */
export function entryOf({ name, known, seed, sequence }: Difference): string {
  if (known !== undefined) return `known: ${known}`;
  return JSON.stringify({ difference: name, reason: reasonToWrite, seed, sequence });
}
