import { lastMoment } from '../../interface/schemas.ts';

/** A world's clock, which follows the time source that the mock was given. */
export interface AdjustableClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Sets the clock. Those who wait go on waiting; setting it back never lengthens their wait. */
  set(now: number): void;
  /** Whether it shows the last moment that it can show, so that it will not advance any more. */
  hasEnded(): boolean;
  /**
   * Resolves when the clock reaches a moment, because it runs or because it is set; or as soon as
   * `signal` is aborted.
   */
  waitUntil(moment: number, signal?: AbortSignal): Promise<void>;
}

/** Where a clock gets its time from. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back in so many milliseconds of it, unless cancelled; left out where it stands still. */
  readonly alarm?: (milliseconds: number, ring: () => void) => CancelAlarm;
}

/** Cancels an alarm. */
export type CancelAlarm = () => void;

/** Somebody who waits for a moment. */
interface Waiter {
  moment: number;
  /** Ends the wait if its time has come, and goes on waiting otherwise. */
  look(): void;
}

/** Milliseconds that a timer can wait at once. */
const longestAlarm = 2 ** 31 - 1;

/**
 * Makes a clock over a time source. It shows whole milliseconds and stays between 1970 and the year
 * 9999, which is what records can hold.
 */
export function createClock(source: TimeSource): AdjustableClock {
  let offset = 0;
  const waiters = new Set<Waiter>();
  const read = (): number => Math.round(source.now());
  const now = (): number => Math.min(lastMoment, Math.max(0, read() + offset));
  const wake = (): void => {
    for (const waiter of [...waiters]) waiter.look();
  };
  return {
    now,
    set(moment) {
      const back = Math.min(0, moment - now());
      for (const waiter of waiters) waiter.moment += back;
      offset = moment - read();
      wake();
    },
    hasEnded: () => now() >= lastMoment,
    waitUntil(moment, signal) {
      return new Promise((resolve) => {
        let cancelAlarm: CancelAlarm | undefined;
        const end = (): void => {
          cancelAlarm?.();
          waiters.delete(waiter);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const waiter: Waiter = {
          moment: Math.min(moment, lastMoment),
          look() {
            cancelAlarm?.();
            const left = waiter.moment - now();
            if (left <= 0 || signal?.aborted) end();
            else cancelAlarm = source.alarm?.(Math.min(left, longestAlarm), waiter.look);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', end);
        waiter.look();
      });
    },
  };
}
