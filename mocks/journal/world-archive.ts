import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';

/** What a tester did, through the control API or in code. */
export type TesterAction =
  /** A snapshot replaced everything in the world. */
  | { kind: 'restored' }
  | { kind: 'created'; stream: ArchivedStream }
  | { kind: 'switched'; streamId: string; record: boolean }
  | { kind: 'deleted'; streamId: string }
  /** The stream went live. With a duration, in seconds, its session had already ended. */
  | { kind: 'live'; streamId: string; sessionId: string; duration?: number }
  /** Its session ended. The duration is that of its media, in seconds. */
  | { kind: 'ended'; streamId: string; duration: number };

/** A stream, as an archive describes it. */
export type ArchivedStream = Pick<
  StreamRecord,
  'id' | 'playbackId' | 'name' | 'profiles' | 'record'
>;

/** What an archive says about its world, besides the exchanges. */
export interface ArchivedWorld {
  version: 1;
  /** The name of the world at the beginning, or `exported`. */
  world: string;
  /** Streams that existed before and that an exchange names, oldest first. */
  streams: ArchivedStream[];
  /** Their sessions, oldest first; the duration is in seconds. */
  sessions: Required<Pick<SessionRecord, 'id' | 'parentId' | 'record' | 'duration'>>[];
  /** What testers did, each with the number of the exchange before it. */
  arranged: (TesterAction & { after: number })[];
}
