import type { ProbeContext } from '../probe.ts';

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

/** A time as a dialect writes it, in steps of 1, 2 and 5: the step that was passed, or the nearest. */
export function roundTime({ after, until }: Omit<Found<unknown>, 'value'>): number {
  if (until <= shortestPause) return 0;
  const passed = steps.find((step) => step > after && step <= until);
  const far = (step: number): number => Math.abs(Math.log(step / until));
  return passed ?? steps.reduce((best, step) => (far(step) < far(best) ? step : best));
}

/** 100 milliseconds to a day. */
const steps: readonly number[] = [2, 3, 4, 5, 6, 7]
  .flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power))
  .filter((step) => step <= 86_400_000);
