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
  let latest = 0;
  let newest = Promise.resolve();
  let acting = 0;
  let removeError = (): void => undefined;

  function refresh(): Promise<void> {
    latest += 1;
    newest = loadAndShow(latest);
    return newest;
  }

  async function loadAndShow(mine: number): Promise<void> {
    const news = await load();
    if (mine !== latest) return newest;
    if (acting === 0) show(news);
  }

  async function act(done: string, action: () => Promise<unknown>): Promise<boolean> {
    acting += 1;
    try {
      await action().finally(() => {
        acting -= 1;
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
