import type {
  Entry,
  Har,
  Header,
  Log,
  PostDataCommon,
  PostDataText,
  Request,
  Response,
} from 'har-format';
import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { Json } from '../../interface/json.ts';
import type { ClientOperation } from '../../interface/operation-names.ts';
import type { RecordingStatus } from '../../interface/types.ts';
import { version } from '../../package.json' with { type: 'json' };
import { type Exchange, parseableUrl } from './exchange.ts';
import { isMedia } from './filter.ts';

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
  | { kind: 'ended'; streamId: string; duration: number }
  /** The status of a session's recording was fixed, by the tester or by a fault. */
  | { kind: 'settled'; sessionId: string; recordingStatus: RecordingStatus };

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
export interface HttpArchive extends Har {
  log: ArchiveLog;
}

/** What an archive holds. */
export interface ArchiveLog extends Log {
  version: '1.2';
  /** None, but Firefox does not open an archive without the list. */
  pages: [];
  entries: ArchiveEntry[];
  /** What `livestream-mock compare --har` needs to send the requests to a service. */
  _livestream: ArchivedWorld;
}

/** One exchange, as an archive writes it. */
export interface ArchiveEntry extends Entry {
  request: ArchiveRequest;
  _livestream: {
    number: number;
    operation?: ClientOperation | undefined;
    fault?: number | undefined;
  };
}

interface ArchiveRequest extends Request {
  postData?: PostDataCommon & PostDataText;
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

function toEntry(exchange: Exchange): ArchiveEntry {
  const { number, operation, startedAt, at, fault } = exchange;
  const duration = Math.max(0, at - startedAt); // the clock may have been set back
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: duration,
    request: toRequest(exchange),
    response: toResponse(exchange),
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    // Otherwise Chromium shows JSON with a charset as a script, so its filter for fetch hides it.
    _resourceType: isMedia(exchange) ? 'media' : 'fetch',
    _livestream: { number, operation, fault },
  };
}

/** What HAR requires of every message, but the journal does not know. It hides cookies. */
const unknownOfMessages = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function toRequest({ request }: Exchange): ArchiveRequest {
  const { method, headers, body } = request;
  const url = parseableUrl(request.url);
  return {
    method,
    url,
    ...unknownOfMessages,
    headers: pairs(Object.entries(headers)),
    queryString: pairs(URL.canParse(url) ? new URL(url).searchParams : []),
    bodySize: body === undefined ? -1 : byteLength(body),
    ...(body !== undefined && {
      postData: { mimeType: headers['content-type'] || 'application/octet-stream', text: body },
    }),
  };
}

function toResponse(exchange: Exchange): Response {
  const { status, headers } = exchange.response;
  // The journal also has the body that a response to HEAD stands for.
  const body = exchange.request.method === 'HEAD' ? '' : exchange.response.body;
  const bodySize = body === undefined ? lengthSent(exchange) : byteLength(body);
  return {
    status,
    statusText: '',
    ...unknownOfMessages,
    headers: pairs(Object.entries(headers)),
    content: {
      size: Math.max(0, bodySize),
      // Chromium's word for a type that is not known.
      mimeType: headers['content-type'] || 'x-unknown',
      ...(body !== undefined && { text: body }),
    },
    redirectURL: headers['location'] ?? '',
    bodySize,
    // Otherwise Chromium adds the sizes, of which that of the headers is -1.
    _transferSize: bodySize,
  };
}

/** How many bytes were sent if the journal has no body: of media, or none at all. -1 if that is not known. */
function lengthSent({ fault, response }: Exchange): number {
  const { 'content-type': type, 'content-length': length } = response.headers;
  if (fault !== undefined) return -1; // it may have cut the body off
  if (type === undefined) return 0;
  return length === undefined ? -1 : Number(length);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function pairs(values: Iterable<readonly [string, string]>): Header[] {
  return [...values].map(([name, value]) => ({ name, value }));
}
