import type { Notices } from './notices.ts';

/** Keeps the page up to date with the service. */
export interface Updates {
  /** Loads and shows the latest data; settles once this or later data is shown. */
  refresh(): Promise<void>;
  /** Runs an action, refreshes, and shows a notice of success or failure; resolves to whether it succeeded. */
  act(done: string, action: () => Promise<unknown>): Promise<boolean>;
  /** Refreshes repeatedly. */
  poll(): Promise<void>;
}

/** Milliseconds between two refreshes. The interface has no events, so the app polls. */
const pause = 1000;

/** Loads and shows data, except data that a later refresh or an action has made obsolete. */
export function keepUpdated<Data>(
  load: () => Promise<Data>,
  show: (data: Data) => void,
  notices: Notices,
): Updates {
  let refreshCount = 0;
  let latestRefresh = Promise.resolve();
  let runningActions = 0;
  let removeError = (): void => undefined;

  function refresh(): Promise<void> {
    refreshCount += 1;
    latestRefresh = loadAndShow(refreshCount);
    return latestRefresh;
  }

  async function loadAndShow(refreshNumber: number): Promise<void> {
    const data = await load();
    if (refreshNumber !== refreshCount) return latestRefresh;
    if (runningActions === 0) show(data);
  }

  async function act(done: string, action: () => Promise<unknown>): Promise<boolean> {
    runningActions += 1;
    try {
      await action().finally(() => {
        runningActions -= 1;
      });
      await refresh();
      notices.done(done);
      return true;
    } catch (error) {
      notices.failed(error);
      return false;
    }
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      removeError();
    } catch (error) {
      removeError = notices.failed(error);
    }
    setTimeout(poll, pause);
  }

  return { refresh, act, poll };
}
