import { stepOf } from '../../time-steps.ts';
import type { Asking } from './asking.ts';

/** What was found, and when, in milliseconds from the start. */
export interface Found<Value> {
  readonly value: Value;
  /** When the last look began that did not find it, or else the first look. */
  readonly after: number;
  /** When the look began that found it. */
  readonly until: number;
}

/**
 * Looks at growing intervals, until something is found; `undefined` if the time was over before. It looks
 * at the end of each step as which a time is written, and shortly before and after: when a look began that
 * found nothing tells the step.
 * @param most milliseconds from the start
 * @param start the moment from which times are measured; default now
 */
export async function poll<Value>(
  { now, pause }: Pick<Asking, 'now' | 'pause'>,
  most: number,
  look: () => Promise<Value | undefined>,
  start: number = now(),
): Promise<Found<Value> | undefined> {
  let until = now() - start;
  for (let after = until; ; ) {
    const value = await look();
    if (value !== undefined) return { value, after, until };
    const elapsed = now() - start;
    if (elapsed >= most) return undefined;
    const next = Math.min(most, nextMark(until), elapsed + Math.max(shortestPause, elapsed / 4));
    // Whole milliseconds, as a clock may not move by less.
    await pause(Math.ceil(Math.max(0, next - elapsed)));
    [after, until] = [until, now() - start];
  }
}

/** Milliseconds. */
const shortestPause = 50;

/** The part of a time that is shortly before it. */
const near = 0.95;

function nextMark(milliseconds: number): number {
  const { from, below } = stepOf(milliseconds);
  return [from / near, near * below].find((mark) => mark > milliseconds) ?? below;
}

/** A time as a dialect writes it: the step of 1, 2 and 5. */
export function roundTime({ after }: Omit<Found<unknown>, 'value'>): number {
  return stepOf(after).value;
}
