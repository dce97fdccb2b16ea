import type { Notices } from './notices.ts';

/** What keeps the page up to date with the service. */
export interface Updates {
  /** Loads and shows the news now; settles once these or later ones are shown. */
  refresh(): Promise<void>;
  /** Does something, shows what has come of it and says how it went: whether it succeeded. */
  act(done: string, action: () => Promise<unknown>): Promise<boolean>;
  /** Refreshes again and again. */
  poll(): Promise<void>;
}

/** Milliseconds between two refreshes; the interface knows no events that would tell of news. */
const pause = 1000;

/** Loads and shows news; what has been overtaken, or may be old by an action, is not shown. */
export function keepUpdated<News>(
  load: () => Promise<News>,
  show: (news: News) => void,
  notices: Notices,
): Updates {
  let latest = 0;
  let newest = Promise.resolve();
  let acting = 0;
  let takeBack = (): void => undefined;

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
      takeBack();
    } catch (error) {
      takeBack = notices.failed(error);
    }
    setTimeout(poll, pause);
  }

  return { refresh, act, poll };
}
