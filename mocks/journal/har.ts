import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { Json } from '../../interface/json.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { Exchange } from './exchange.ts';

/** What a tester did, through the control API, the dashboard or code. */
export type TesterAction =
  /** A snapshot replaced everything in the world. */
  | { kind: 'restored' }
  | { kind: 'created'; stream: ArchivedStream }
  | { kind: 'switched'; streamId: string; record: boolean }
  /** Fields of the stream other than its record value were set. */
  | { kind: 'updated'; streamId: string; fields: Record<string, Json> }
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

/** An HTTP archive, version 1.2: a file that the network panels of browsers open. */
export interface HttpArchive {
  log: {
    version: '1.2';
    creator: { name: string; version: string };
    /** None, but Firefox does not open an archive without the list. */
    pages: [];
    entries: object[];
    /** What `livestream-mock compare --har` needs to send the requests to a service. */
    _livestream: ArchivedWorld;
  };
}

/** Writes exchanges as an HTTP archive. Its times are those of the world's clock. */
export function toHttpArchive(exchanges: readonly Exchange[], world: ArchivedWorld): HttpArchive {
  return {
    log: {
      version: '1.2',
      creator: { name: 'livestream-mock', version },
      pages: [],
      entries: exchanges.map(toEntry),
      _livestream: world,
    },
  };
}

/** What HAR requires of every message, but the journal does not know. */
const unknownOfMessages = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };

function toEntry(exchange: Exchange): object {
  const { number, operation, startedAt, at, fault, request, response } = exchange;
  const duration = Math.max(0, at - startedAt); // the clock may have been set back
  const { url, method, body } = request;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: duration,
    request: {
      method,
      url,
      ...unknownOfMessages,
      headers: pairs(Object.entries(request.headers)),
      queryString: pairs(URL.canParse(url) ? new URL(url).searchParams : []),
      ...(body !== undefined && {
        postData: { mimeType: request.headers['content-type'] ?? '', text: body },
      }),
    },
    response: {
      status: response.status,
      statusText: '',
      ...unknownOfMessages,
      headers: pairs(Object.entries(response.headers)),
      content: {
        size: new TextEncoder().encode(response.body).length,
        mimeType: response.headers['content-type'] ?? '',
        text: response.body,
      },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    _livestream: { number, operation, fault },
  };
}

function pairs(
  values: Iterable<readonly [string, string]>,
): { readonly name: string; readonly value: string }[] {
  return [...values].map(([name, value]) => ({ name, value }));
}
