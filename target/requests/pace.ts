import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** When the requests of a run are sent: all of them wait together if the target asks one to wait. */
export type Pace = ReturnType<typeof createPace>;

/** Milliseconds between two requests after the first pause, and at most. */
const interval = { first: 50, longest: 1_000 };

/** What is left of that time after each request that was not asked to wait: a target may have been busy only once. */
const recovery = 0.8;

/** @param rate how many requests a second are sent at most; by default as many as the target takes */
export function createPace(rate = Number.POSITIVE_INFINITY) {
  const least = 1_000 / rate;
  let between = least;
  let pausedUntil = 0;
  let pauses = 0;
  let paused = 0;
  /** When the next request may be sent. */
  let next = 0;
  return {
    /** Resolves when the next request may be sent, or once `stopSignal` is aborted. */
    async turn(stopSignal?: AbortSignal): Promise<void> {
      for (;;) {
        const now = performance.now();
        const wait = Math.max(next, pausedUntil) - now;
        if (wait <= 0 || stopSignal?.aborted) {
          next = now + between;
          return;
        }
        // Many requests may wait at the same time.
        if (stopSignal !== undefined) setMaxListeners(0, stopSignal);
        await sleep(wait, undefined, { signal: stopSignal }).catch(() => {});
      }
    },
    /** The target has answered without asking to wait, so it may get more requests a second again. */
    quicken(): void {
      between = Math.max(least, between < 1 ? 0 : between * recovery);
    },
    /** The target asks to wait: no request is sent for that time, and fewer a second from then on. */
    pause(milliseconds: number): void {
      const now = performance.now();
      pauses += 1;
      // Several requests may be refused at once, which is one reason to be slower.
      if (now >= pausedUntil) {
        between = Math.max(
          between,
          Math.min(interval.longest, Math.max(interval.first, between * 2)),
        );
      }
      const end = Math.max(pausedUntil, now + milliseconds);
      paused += end - Math.max(pausedUntil, now);
      pausedUntil = end;
    },
    /** Milliseconds that a number of requests take at least, as they are sent now. */
    duration: (requests: number): number => requests * between,
    /** Whether the target has asked to wait. */
    isLimited: (): boolean => pauses > 0,
    /** How often the target has asked to wait. */
    pauses: (): number => pauses,
    /** For how many milliseconds in all. */
    paused: (): number => Math.round(paused),
  };
}
