import * as z from 'zod';

const fileSchema = z.strictObject(
  {
    known: z.array(
      z.strictObject(
        {
          signature: z
            .string('the signature of a difference')
            .min(1, 'the signature of a difference'),
          reason: z.string('a reason').min(1, 'a reason'),
        },
        'an object with the keys signature and reason',
      ),
      'an array',
    ),
  },
  'an object with the key known',
);

/**
 * Reads a file of known differences: the reason for each, by its signature as a report names it.
 * @throws TypeError, in one sentence, for another text
 */
export function parseKnown(text: string): ReadonlyMap<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError('expected a JSON file, got text that is not JSON');
  }
  const result = fileSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const where = z.core.toDotPath(issue?.path ?? []);
    throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${issue?.message}`);
  }
  return new Map(result.data.known.map(({ signature, reason }) => [signature, reason]));
}
