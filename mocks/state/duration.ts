import * as z from 'zod';
import { describeValue } from '../messages/problem.ts';

const unitMilliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const maxDuration = 366 * unitMilliseconds.d;

const durationForm =
  'a number of milliseconds, or a string such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days';

/** Schema of a duration, as {@link parseDuration} takes it. */
export const durationSchema: z.ZodType<number | string> = z
  .union([z.number(), z.string()], durationForm)
  .refine((duration) => readDuration(duration) !== undefined, durationForm)
  .describe(`A duration: ${durationForm}`);

/**
 * Reads a duration in milliseconds: a number of them, or a text such as `10m`.
 * @throws RangeError if it is neither, negative, or over 366 days.
 */
export function parseDuration(duration: number | string): number {
  const milliseconds = readDuration(duration);
  if (milliseconds !== undefined) return milliseconds;
  throw new RangeError(`expected ${durationForm}, got ${describeValue(duration)}`);
}

/** Reads a duration in milliseconds; `undefined` for anything else. */
export function readDuration(duration: number | string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(duration));
  const unit = (match?.[2] ?? 'ms') as keyof typeof unitMilliseconds;
  const milliseconds =
    typeof duration === 'number' ? duration : Number(match?.[1]) * unitMilliseconds[unit];
  return milliseconds >= 0 && milliseconds <= maxDuration ? Math.round(milliseconds) : undefined;
}
