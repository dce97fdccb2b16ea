import type { Dialect } from '../../interface/dialect.ts';
import type { ConnectionOptions } from '../target/connection.ts';
import type { LeaveOut } from './run/run.ts';
import type { SearchOptions } from './search/find-differences.ts';

/** A target, and a second API key of it, of another account. */
export interface ComparedTarget extends ConnectionOptions {
  otherApiKey?: string;
  /** The file that describes it, for messages. */
  file?: string;
}

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ComparedTarget, SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: Dialect;
  /** The file of the dialect, for the report. */
  dialectFile?: string;
  /** A second target, instead of a mock. */
  other?: ComparedTarget;
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Whether to look for the row that explains a difference; default true. */
  explain?: boolean;
  /** Requests that are not sent; default none. */
  leaveOut?: LeaveOut;
}
