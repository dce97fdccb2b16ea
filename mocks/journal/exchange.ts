import * as z from 'zod';
import { type ClientOperation, clientOperationNames } from '../../interface/operation-names.ts';
import { exactly, millisecondsSchema } from '../../interface/schemas.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { hiddenKey } from './hide-secrets.ts';

/** What HTTP allows as a method, and as the name of a header. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** What `Headers` allow as the value of a header: characters that are one byte each. */
const headerValue = /^[^\0\r\n\u{100}-\u{10ffff}]*$/u;

const text = z.string('a string');
const method = z.string('a string').regex(token, 'an HTTP method');
const url = z.string('a string').refine(isWebUrl, 'an http or https URL');
const headers = z.record(
  z.string().regex(token),
  z.string('a string').regex(headerValue, 'the value of an HTTP header'),
  {
    error: ({ code }) =>
      code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of strings',
  },
);
const whole = z.int('a whole number');

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
  /** Whether a static route of the dialect answered it. */
  static?: true;
  /** The body is left out where there was none, or where it is not UTF-8. */
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  /**
   * The response. Its status is 0 where a fault broke the connection, or the client went away during a
   * delay. Its body is left out for media, and where a fault cut it off or slowed it down.
   */
  answer: { status: number; headers: Record<string, string>; body?: string };
}

/**
 * Schema of {@link Exchange}. That type is written by hand, as the types of Zod do not compile when they are
 * bundled into the declarations of the package.
 */
export const exchangeSchema: z.ZodType<Exchange> = exactly({
  number: whole,
  startedAt: millisecondsSchema,
  at: millisecondsSchema,
  operation: z
    .enum(clientOperationNames, `one of ${clientOperationNames.join(', ')}`)
    .exactOptional(),
  fault: whole.exactOptional(),
  static: z.literal(true, 'true').exactOptional(),
  request: exactly({ method, url, headers, body: text.exactOptional() }),
  answer: exactly({ status: whole, headers, body: text.exactOptional() }),
});

/** The hidden key can replace the host, and its brackets then make the URL invalid. */
function isWebUrl(url: string): boolean {
  const shown = url.replaceAll(hiddenKey, 'key');
  return URL.canParse(shown) && /^https?:$/.test(new URL(shown).protocol);
}

/** What a tester did: by the control API or in code, and not by a request of a client. */
export type TesterAction =
  /** A snapshot replaced what the world held. */
  | { kind: 'restored' }
  | { kind: 'created'; stream: ArchivedStream }
  | { kind: 'switched'; streamId: string; record: boolean }
  | { kind: 'deleted'; streamId: string }
  /** It went live; with a duration, in seconds, it had ended already. */
  | { kind: 'live'; streamId: string; sessionId: string; duration?: number }
  /** Its session ended, after so many seconds of media. */
  | { kind: 'ended'; streamId: string; duration: number };

/** A stream as an archive has it. */
export type ArchivedStream = Pick<
  StreamRecord,
  'id' | 'playbackId' | 'name' | 'profiles' | 'record'
>;

/** What an archive says about its world, besides the exchanges. */
export interface ArchivedWorld {
  version: 1;
  /** How the world began: by name, or `exported`. */
  world: string;
  /** Streams that were there already and that an exchange names, oldest first. */
  streams: ArchivedStream[];
  /** Their sessions, oldest first; the duration is in seconds. */
  sessions: Required<Pick<SessionRecord, 'id' | 'parentId' | 'record' | 'duration'>>[];
  /** What testers did, each with the number of the exchange after which it was done. */
  arranged: (TesterAction & { after: number })[];
}
