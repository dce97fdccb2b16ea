import type { Api } from './api.ts';

/** What every part of the page works with; the api is another one once another key is chosen. */
export interface Context {
  readonly api: Api;
}

/** A part of the page that shows something of the world. */
export interface Panel {
  /** Shows how things are now. */
  refresh(): Promise<void>;
  /** Forgets what it shows: it was another key's. */
  clear(): void;
}
