import { nextStep } from '../../time-steps.ts';
import type { ProbeContext } from './probe.ts';

/** What was found, and when: later than `after` and not later than `until`, in milliseconds. */
export interface Found<Value> {
  readonly value: Value;
  readonly after: number;
  readonly until: number;
}

/**
 * Looks at growing intervals, until something is found; `undefined` if the time was over before.
 * @param most milliseconds
 */
export async function poll<Value>(
  { now, pause }: Pick<ProbeContext, 'now' | 'pause'>,
  most: number,
  look: () => Promise<Value | undefined>,
): Promise<Found<Value> | undefined> {
  const start = now();
  for (let after: number | undefined; ; ) {
    const asked = now() - start;
    const value = await look();
    if (value !== undefined) {
      return after === undefined
        ? { value, after: 0, until: 0 }
        : { value, after, until: now() - start };
    }
    after = asked;
    const elapsed = now() - start;
    if (elapsed >= most) return undefined;
    await pause(Math.min(most - elapsed, Math.max(shortestPause, elapsed / 4)));
  }
}

/** Milliseconds. */
const shortestPause = 50;

/**
 * A time as a dialect writes it: the expected one where the measured time is within 20 % or 200 ms of it,
 * or rounds to the same step; else the next step of 1, 2 and 5.
 */
export function roundTime(
  { after, until }: Omit<Found<unknown>, 'value'>,
  expected: number,
): number {
  const low = Math.min(expected * 0.8, expected - 200);
  const high = Math.max(expected * 1.2, expected + 200);
  if (until > shortestPause && after <= high && until >= low) return expected;
  if (until <= shortestPause) return 0;
  const step = nextStep(after);
  return step === nextStep(expected) ? expected : step;
}
