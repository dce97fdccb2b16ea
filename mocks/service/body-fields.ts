import * as z from 'zod';
import type { Refusal } from '../../interface/silent-row.ts';

type Issue = z.core.$ZodIssue;

/** What becomes of each field of a body, by its name. */
export type FieldValues = Readonly<Record<string, string | Refusal>>;

const anything = z.unknown().exactOptional();

/**
 * Schema of a body with the fields of `shape` and those of `fields`: refused ones must be absent, others
 * may have any value. `unknown` says what becomes of all others.
 */
export function bodySchema(
  shape: z.ZodRawShape,
  fields: FieldValues,
  unknown: string | Refusal,
): z.ZodType {
  const accepted = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  const refused = Object.entries(fields).filter(([, value]) => typeof value !== 'string');
  const taken = {
    // Once more at the end: here for its order, in which errors are reported.
    ...shape,
    ...Object.fromEntries(accepted.map(([field]) => [field, anything])),
    ...shape,
  };
  const whole = {
    ...taken,
    ...Object.fromEntries(refused.map(([field]) => [field, z.never('nothing').exactOptional()])),
  };
  const keys = Object.keys(taken).join(', ');
  const error = ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? `no keys but ${keys}` : `an object with the keys ${keys}`;
  return typeof unknown === 'string'
    ? z.looseObject(whole, { error })
    : z.strictObject(whole, { error });
}

/** The field of a body that an issue is about; `undefined` when it is about the whole body. */
export function fieldOf(issue: Issue): string | undefined {
  const field = issue.path[0] ?? (issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined);
  return field === undefined ? undefined : String(field);
}
