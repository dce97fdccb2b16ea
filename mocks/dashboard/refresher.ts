import { complain } from './notices.ts';

/**
 * Loads something whenever it may have changed, one load at a time. A change during a load causes one
 * more load. The promise settles when the change is shown. Errors are shown as notices.
 */
export function createRefresher(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = load()
      .catch(complain)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}
