import { lastMoment } from '../fixtures/schema.ts';
import { describeValue } from './problem.ts';

/** A world's clock. Between steps it follows the time source that the mock was given. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock on by milliseconds, or by a text such as `10m`; returns the new time. */
  advance(duration: number | string): number;
}

/** A clock that can also be put to a moment, as a restored state needs it. */
export interface AdjustableClock extends Clock {
  set(now: number): void;
  /** Resolves when the clock has come to a moment: by itself where it runs, or when it is moved. */
  waitUntil(moment: number): Promise<void>;
}

/** What time is made of. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits so many milliseconds of it; left out where it stands still. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** Milliseconds that a timer can wait at once. */
const longestSleep = 2 ** 31 - 1;

/**
 * Makes a clock over a time source. It shows whole milliseconds and stays between 1970 and the year
 * 9999, which is what records can hold. `advanced` is called whenever it was moved on.
 */
export function createClock(source: TimeSource, advanced: () => void = () => {}): AdjustableClock {
  let offset = 0;
  const waiting = new Set<() => void>();
  const read = (): number => Math.round(source.now());
  const now = (): number => Math.min(lastMoment, Math.max(0, read() + offset));
  const wake = (): void => {
    for (const look of [...waiting]) look();
  };
  return {
    now,
    advance(duration) {
      offset += parseDuration(duration);
      advanced();
      wake();
      return now();
    },
    set(moment) {
      offset = moment - read();
      wake();
    },
    waitUntil(moment) {
      return new Promise((resolve) => {
        const look = (): void => {
          const left = Math.min(moment, lastMoment) - now();
          if (left > 0) return void source.sleep?.(Math.min(left, longestSleep)).then(look);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
  };
}

const unitMilliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const longest = 366 * unitMilliseconds.d;

/** What {@link parseDuration} takes, for messages. */
export const durationForm =
  'a number of milliseconds, or a text such as "500ms", "1s", "10m", "2h" or "1d"';

/**
 * Milliseconds of a duration, given as such or as a text such as `10m`.
 * @throws RangeError when it is neither, negative, or over 366 days.
 */
export function parseDuration(duration: number | string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(duration));
  const unit = (match?.[2] ?? 'ms') as keyof typeof unitMilliseconds;
  const milliseconds =
    typeof duration === 'number' ? duration : Number(match?.[1]) * unitMilliseconds[unit];
  if (!(milliseconds >= 0 && milliseconds <= longest)) {
    throw new RangeError(
      `expected ${durationForm}, from 0 to 366 days, got ${describeValue(duration)}`,
    );
  }
  return Math.round(milliseconds);
}
