import * as z from 'zod';
import { parseReviewed } from '../../text/reviewed-file.ts';
import type { Requirement } from '../checks/requirement.ts';
import { isViolation, type KnownDeviation, type Result } from '../model/report.ts';
import { describeUnknownId } from './selection.ts';

/** What the owner of a target declares about it. */
export interface Deviations {
  /** Requirements that the target is known not to satisfy. */
  readonly known: ReadonlyMap<string, KnownDeviation>;
  /** Requirements that do not apply to the target, with the reason. */
  readonly inapplicable: ReadonlyMap<string, string>;
}

/** The deviations of a target whose owner declares none. */
export const noDeviations: Deviations = { known: new Map(), inapplicable: new Map() };

const requirement = z.string('an id');
const reason = z.string('a reason').min(1, 'a reason');
const expires = z.iso.date('a day such as 2026-12-31').exactOptional();
const fileSchema = z.strictObject(
  {
    deviations: entries(
      { requirement, reason, expires },
      'requirement, reason and optionally expires',
    ),
    inapplicable: entries({ requirement, reason }, 'requirement and reason'),
  },
  'an object with the keys deviations, inapplicable or both',
);

function entries<Shape extends z.ZodRawShape>(shape: Shape, keys: string) {
  const entry = z.strictObject(shape, `an object with the keys ${keys}`);
  return z.array(entry, 'an array').default([]);
}

/**
 * Reads a deviations file.
 * @throws TypeError with a one-sentence message for invalid text, and for an unknown requirement.
 */
export function parseDeviations(text: string, catalogue: readonly Requirement[]): Deviations {
  const { deviations, inapplicable } = parseReviewed(text, fileSchema);
  const ids = new Set(catalogue.map(({ id }) => id));
  for (const { requirement } of [...deviations, ...inapplicable]) {
    if (!ids.has(requirement)) {
      throw new TypeError(describeUnknownId(requirement, catalogue));
    }
  }
  return {
    known: new Map(deviations.map(({ requirement, ...deviation }) => [requirement, deviation])),
    inapplicable: new Map(inapplicable.map((entry) => [entry.requirement, entry.reason])),
  };
}

/**
 * A result as it counts on a day such as `2026-12-31`. If its deviation has expired, the violation counts
 * like any other, and its message says so.
 */
export function withoutExpired(result: Result, today: string): Result {
  const { deviation, ...withoutDeviation } = result;
  const expires = deviation?.expires;
  if (!isViolation(result) || expires === undefined || today <= expires) return result;
  return {
    ...withoutDeviation,
    message: `${result.message}; its known deviation expired on ${expires}`,
  };
}
