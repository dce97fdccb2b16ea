import type { ClientOperation } from '../../interface/operation-names.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';

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
  /** Whether a static route of the dialect answered it. */
  static?: true;
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

/** What a tester did to a stream: by the control API or in code, and not by a request of a client. */
export type Arranged =
  | { kind: 'created'; stream: ArchivedStream }
  | { kind: 'switched'; streamId: string; record: boolean }
  | { kind: 'deleted'; streamId: string }
  /** It went live; with a duration, in seconds, it had ended already. */
  | { kind: 'live'; streamId: string; sessionId: string; duration?: number }
  /** Its session ended, after so many seconds of media. */
  | { kind: 'ended'; streamId: string; duration: number };

/** A stream as an archive tells of it. */
export type ArchivedStream = Pick<
  StreamRecord,
  'id' | 'playbackId' | 'name' | 'profiles' | 'record'
>;

/** What an archive tells of its world, beside the exchanges. */
export interface ArchivedWorld {
  version: 1;
  /** How the world began: by name, or `exported`. */
  world: string;
  /** Streams that were there already and that an exchange names, oldest first. */
  streams: ArchivedStream[];
  /** Their sessions, oldest first; the duration is in seconds. */
  sessions: Required<Pick<SessionRecord, 'id' | 'parentId' | 'record' | 'duration'>>[];
  /** What testers did, each with the number of the exchange after which it was done. */
  arranged: (Arranged & { after: number })[];
}
