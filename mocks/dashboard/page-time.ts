/** The page's own time, for its display alone: a world's comes from the service. */

/** Milliseconds since the page was opened. */
export function sinceOpened(): number {
  return performance.now();
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
