import type { ClientOperation } from '../../interface/operation-names.ts';

/** One request and its answer, as a world's journal keeps it; API keys are replaced. */
export interface Exchange {
  /** Counts the exchanges of a world from 1. */
  number: number;
  /** When it came, its key known: milliseconds since 1970 on the world's clock. */
  startedAt: number;
  /** When it was answered, on the same clock. */
  at: number;
  /** What was asked for; left out where the route is unknown. */
  operation?: ClientOperation;
  /** The id of the fault that met it, if any. */
  fault?: number;
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** The body as it came; left out where there was none, or none that is UTF-8. */
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
