import type { ProbeContext } from './prober.ts';

/** What was found, and when, in milliseconds from the start. */
export interface Found<Value> {
  readonly value: Value;
  /** When the last look before it was found began; when the first look began if it was found at once. */
  readonly after: number;
  /** When the look that found it began. */
  readonly until: number;
}

/**
 * Looks at growing intervals until something is found; `undefined` if it was not found in time. It also looks
 * at the end of each step to which times are rounded, and shortly before and after, so that the step is certain.
 * @param maxTime milliseconds from the start
 */
export async function poll<Value>(
  { now, pause }: Pick<ProbeContext, 'now' | 'pause'>,
  maxTime: number,
  look: () => Promise<Value | undefined>,
): Promise<Found<Value> | undefined> {
  const start = now();
  for (let after = 0, until = 0; ; ) {
    const value = await look();
    if (value !== undefined) return { value, after, until };
    const elapsed = now() - start;
    if (elapsed >= maxTime) return undefined;
    const next = Math.min(maxTime, nextMark(until), elapsed + Math.max(shortestPause, elapsed / 4));
    // Whole milliseconds, as a clock may not move by less.
    await pause(Math.ceil(Math.max(0, next - elapsed)));
    after = until;
    until = now() - start;
  }
}

/** The shortest time to wait for something that may never come, in milliseconds. */
const shortestWait = 2_000;

/**
 * Waits for something as long as there is reason to expect it: three times the longest delay that was seen, or
 * all of the patience if none was seen yet.
 */
export async function waitFor<Value>(
  context: ProbeContext,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const { delays, patience } = context;
  const { longest = patience } = delays;
  const maxTime = Math.min(patience, Math.max(shortestWait, 3 * longest));
  const finding = await poll(context, maxTime, look);
  if (finding !== undefined) noteDelay(context, finding.until);
  return finding?.value;
}

/** Remembers how long something took. */
export function noteDelay({ delays }: ProbeContext, milliseconds: number): void {
  delays.longest = Math.max(delays.longest ?? 0, milliseconds);
}

/** The shortest pause between two looks, in milliseconds. */
const shortestPause = 50;

/** A look shortly before a time comes at this fraction of it. */
const early = 0.95;

/** The times that a dialect may have, in milliseconds: 0, and 1, 2 and 5 times a power of ten, up to a day. */
const steps = [
  ...[0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
  ...[1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000, 86_400_000],
] as const;

/**
 * The shortest time that is rounded to the next step: 1,010 ms counts as a second, and 20 ms as 0. With a factor
 * much smaller than 1.4, a service that takes 2,500 ms would be imitated by a mock that takes 5,000 ms.
 */
function endOf(step: number): number {
  return step === 0 ? 50 : 1.4 * step;
}

function nextMark(milliseconds: number): number {
  const marks = steps.flatMap((step) => [early * endOf(step), endOf(step), endOf(step) / early]);
  return marks.find((mark) => mark > milliseconds) ?? Number.POSITIVE_INFINITY;
}

/**
 * Whether a time is so near to where the next step begins that another measurement may belong to another step.
 * @param milliseconds as it was measured
 */
export function isBetweenSteps(milliseconds: number): boolean {
  return roundTime(milliseconds / nearness) !== roundTime(milliseconds * nearness);
}

/** Times within this factor of each other may be the same delay, measured twice on a service with some load. */
const nearness = 1.25;

/** The middle one of one or three times: the step to which two of them belong, if two do. */
export function middleOf(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Rounds a time to the step to which it belongs. */
export function roundTime(milliseconds: number): number {
  return steps.find((step) => milliseconds < endOf(step)) ?? steps[steps.length - 1] ?? 0;
}
