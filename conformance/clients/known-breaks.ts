import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { parseReviewed } from '../../text/reviewed-file.ts';

/** Why an app may break under a trial, by the trial's name. */
export type KnownBreaks = ReadonlyMap<string, string>;

const breakSchema = z.strictObject(
  { variant: z.string('a name'), reason: z.string('a reason').min(1, 'a reason') },
  'an object with only variant and reason',
);

const fileSchema = z.strictObject(
  { known: z.array(breakSchema, 'an array') },
  'an object with only the key known',
);

/**
 * Reads a file of variants that are known to break an app.
 * @throws TypeError with a one-sentence message for invalid text, and for an unknown variant.
 */
export function parseKnownBreaks(text: string, names: readonly string[]): KnownBreaks {
  const { known } = parseReviewed(text, fileSchema);
  for (const [index, { variant }] of known.entries()) {
    if (names.includes(variant)) continue;
    const expected = `the name of a variant${orNearest(variant, names)}`;
    throw new TypeError(`known[${index}].variant: expected ${expected}`);
  }
  return new Map(known.map(({ variant, reason }) => [variant, reason]));
}
