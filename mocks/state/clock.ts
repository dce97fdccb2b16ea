import { lastMoment } from '../../interface/schemas.ts';

/** A world's clock, which follows the time source that the mock was given. */
export interface AdjustableClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Sets the clock. Setting it back does not prolong a pending wait. */
  set(now: number): void;
  /** Whether it shows the latest time that it can show, and stands still from now on. */
  hasEnded(): boolean;
  /**
   * Resolves when the clock reaches a moment, whether it runs or is set, or when `signal` aborts.
   */
  waitUntil(moment: number, signal?: AbortSignal): Promise<void>;
}

/** Where a clock gets the time. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `ring` after milliseconds of its time, unless cancelled; absent when its time stands still. */
  readonly alarm?: (milliseconds: number, ring: () => void) => CancelAlarm;
}

/** Cancels an alarm. */
export type CancelAlarm = () => void;

/** A pending {@link AdjustableClock.waitUntil}. */
interface Waiter {
  moment: number;
  /** Ends the wait if the moment has come; otherwise sets the next alarm. */
  look(): void;
}

/** The longest delay of a timer, in milliseconds. */
const longestAlarm = 2 ** 31 - 1;

/**
 * Makes a clock that follows a time source. It shows whole milliseconds from 1970 to the year 9999, the
 * range that records can hold.
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
