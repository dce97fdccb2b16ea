import * as z from 'zod';
import { parseReviewed } from '../../../conformance/run/reviewed-file.ts';

/** A difference that is accepted: an entry of a file of known differences. */
export interface KnownDifference {
  /** As a report names it. */
  readonly signature: string;
  readonly reason: string;
  /** Default 1. */
  readonly seed?: number;
  /** The sequence that shows it, as a report names it: it tells whether the difference still appears. */
  readonly path: string;
}

/** What the path of a difference looks like: a sequence, and the moves in it. */
export const pathPattern: RegExp = /^\d{1,9}(:\d{1,4}(,\d{1,4})*)?$/;

/** What stands in an entry that a report prints, until somebody writes a reason. */
export const reasonToWrite = 'say why';

const entrySchema = z.strictObject(
  {
    signature: z.string('the signature of a difference').min(1, 'the signature of a difference'),
    reason: z
      .string('a reason')
      .min(1, 'a reason')
      .refine((text) => text !== reasonToWrite, `your own reason in place of "${reasonToWrite}"`),
    seed: z.int('a whole number').min(0, 'a whole number').exactOptional(),
    path: z.string('a path such as 17:0,4').regex(pathPattern, 'a path such as 17:0,4'),
  },
  { error: keysError('the keys signature, reason, path, and optionally seed') },
);

const fileSchema = z.strictObject(
  { known: z.array(entrySchema, 'an array') },
  { error: keysError('the key known') },
);

/** What is expected of an object that has these keys only. */
function keysError(keys: string): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? `, got "${issue.keys[0]}" too` : '';
    return `an object with ${keys}${unknown}`;
  };
}

/**
 * Reads a file of known differences.
 * @throws TypeError, in one sentence, for another text
 */
export function parseKnown(text: string): readonly KnownDifference[] {
  return parseReviewed(text, fileSchema).known;
}
