/** The reader's own time, for the display alone: a world's comes from the service. */

/** Milliseconds since the page was opened. */
export function sinceOpened(): number {
  return performance.now();
}

/** What the reader's computer takes for the time, in milliseconds since 1970. */
export function readersNow(): number {
  return Date.now();
}

/** Waits so many milliseconds. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Does something every second. */
export function everySecond(action: () => void): void {
  setInterval(action, 1000);
}
