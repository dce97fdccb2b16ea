import type { ClientOperation } from '../http/operation-names.ts';

/** One request and its answer, as a world's journal keeps it; API keys are replaced. */
export interface Exchange {
  /** Counts the exchanges of a world from 1. */
  number: number;
  /** When it was answered: milliseconds since 1970 on the world's clock. */
  at: number;
  /** What was asked for; left out where the route is unknown. */
  operation?: ClientOperation;
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** The body as it came; left out where there was none. */
    body?: string;
  };
  answer: {
    /** 0 where a fault broke the connection, or the client went away while one delayed it. */
    status: number;
    headers: Record<string, string>;
    /** The body, where it is text; media is left out, and what a fault has trickle or break off. */
    body?: string;
  };
}
