import type { ClientOperation } from '../../interface/operation-names.ts';

/** One request and its response, as a world's journal keeps them; API keys are replaced. */
export interface Exchange {
  /** Counts the exchanges of a world from 1. */
  number: number;
  /** When the request's key was known: milliseconds since 1970 on the world's clock. */
  startedAt: number;
  /** When it was answered, on the same clock. */
  at: number;
  /** The operation or media route; left out where the route is unknown. */
  operation?: ClientOperation;
  /** The id of the fault that matched it, if any. */
  fault?: number;
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** The body as it was sent; left out where there was none, or where it is not UTF-8. */
    body?: string;
  };
  /** The response. */
  answer: {
    /** 0 where a fault broke the connection, or the client went away during a delay. */
    status: number;
    headers: Record<string, string>;
    /** The body where it is text. Left out for media, and where a fault cut it off or slowed it down. */
    body?: string;
  };
}
