import { lastMoment } from '../../interface/schemas.ts';

/** A world's clock, which follows the time source that the mock was given. */
export type AdjustableClock = ReturnType<typeof createClock>;

/** Where a clock gets the time. */
export interface TimeSource {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `ring` after a number of milliseconds, unless it is cancelled; absent if its time stands still. */
  readonly alarm?: (milliseconds: number, ring: () => void) => () => void;
}

/** A pending {@link AdjustableClock.waitUntil}. */
interface Waiter {
  moment: number;
  /** Who waits, and what for, in a sentence. */
  readonly sentence: string | undefined;
  /** Ends the wait if its moment has come, or else sets the next alarm. */
  look(): void;
}

/** The longest delay of a timer, in milliseconds. */
const longestAlarm = 2 ** 31 - 1;

/**
 * Makes a clock that follows a time source. It shows whole milliseconds from 1970 to the year 9999, the
 * range that records can hold.
 */
export function createClock(source: TimeSource) {
  const read = (): number => Math.round(source.now());
  /** What the clock showed when it was last set, and the time of its source then. */
  let anchor = { time: 0, sourceTime: 0 };
  let speed = 1;
  const waiters = new Set<Waiter>();
  /** Milliseconds since 1970. */
  const now = (): number => {
    const time = anchor.time + Math.round((read() - anchor.sourceTime) * speed);
    return Math.min(lastMoment, Math.max(0, time));
  };
  return {
    now,
    /** How fast it runs: 1 is as fast as its time source, 0 is paused. */
    speed: () => speed,
    /**
     * Sets the clock, and how fast it runs from then on. Setting it back does not prolong a pending wait.
     * What was due on the way happens in the order in which it was due.
     */
    set(moment: number, nextSpeed: number = speed): void {
      const back = Math.min(0, moment - now());
      for (const waiter of waiters) waiter.moment += back;
      anchor = { time: moment, sourceTime: read() };
      speed = nextSpeed;
      void wakeInOrder([...waiters], now);
    },
    /** Whether it shows the latest possible time, and stands still from now on. */
    hasEnded: () => now() >= lastMoment,
    /** Whether it moves only when it is set. */
    standsStill: () => speed === 0 || source.alarm === undefined,
    /** The sentences of all that wait, in the order in which they began to. */
    pending: (): string[] => [...waiters].flatMap(({ sentence }) => sentence ?? []),
    /**
     * Resolves when the clock reaches a moment, by running or by being set, or when `signal` aborts. Until then,
     * `pending` has `sentence`, if it is given.
     */
    waitUntil(moment: number, signal?: AbortSignal, sentence?: string): Promise<void> {
      return new Promise((resolve) => {
        let cancelAlarm: (() => void) | undefined;
        const end = (): void => {
          cancelAlarm?.();
          waiters.delete(waiter);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const waiter: Waiter = {
          moment: Math.min(moment, lastMoment),
          sentence,
          look() {
            cancelAlarm?.();
            const remaining = waiter.moment - now();
            if (remaining <= 0 || signal?.aborted) return end();
            if (speed === 0) return;
            const delay = Math.min(Math.ceil(remaining / speed), longestAlarm);
            cancelAlarm = source.alarm?.(delay, waiter.look);
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', end);
        waiter.look();
      });
    },
  };
}

/** Wakes the waiters in the order in which they are due, each in its own turn of the event loop. */
async function wakeInOrder(waiters: readonly Waiter[], now: () => number): Promise<void> {
  for (const waiter of waiters.toSorted((left, right) => left.moment - right.moment)) {
    const isDue = waiter.moment <= now();
    waiter.look();
    if (isDue) await nextTurn();
  }
}

/**
 * Resolves in a later turn of the event loop, so that other requests are answered in between. Unlike a
 * timer, a message port has no minimum delay and is not replaced by fake timers.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
