import { complain } from './notices.ts';

/**
 * Loads something whenever it may have changed, once at a time: what changes meanwhile is loaded
 * after. The promise settles when what was asked for is shown; troubles are told.
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
