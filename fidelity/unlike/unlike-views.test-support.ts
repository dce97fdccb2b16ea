import type { IncomingMessage } from 'node:http';
import { type Answer, Refusal } from './unlike-refusals.test-support.ts';
import type { Session, Store, Stream } from './unlike-store.test-support.ts';

export interface Call {
  readonly store: Store;
  readonly request: IncomingMessage;
  /** The server's address without any path. */
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The API key of the request: what it creates belongs to it. */
  readonly owner: string;
  /** The identifier in the path, or empty where the route has none. */
  readonly id: string;
}

const usualLimit = 5;
const largestLimit = 20;

export function json(status: number, value: object, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify(value);
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body };
}

export function showStream(stream: Stream): object {
  const { id, name, profiles, record, createdAt, streamKey, playbackId } = stream;
  return {
    ...{ id, name, profiles, record, createdAt, streamKey, playbackId },
    updatedAt: new Date(stream.updatedAt).toISOString(),
    ingest: { protocol: 'srt', region: 'eu-1' },
    live: stream.live !== undefined,
    description: null,
  };
}

function recordingOf({ store, origin }: Call, session: Session): object {
  if (!session.record) return { recordingStatus: 'disabled' };
  if (!store.isReady(session)) return { recordingStatus: 'processing' };
  const folder = `${origin}/media/${session.id}`;
  return {
    recordingStatus: 'ready',
    recordingUrl: `${folder}/index.m3u8`,
    mp4URL: `${folder}/video.mp4`,
  };
}

export function showSession(call: Call, session: Session): object {
  const { id, parentId, record, profiles, createdAt, ended } = session;
  return {
    ...{ id, parentId, record, profiles, createdAt },
    ...recordingOf(call, session),
    ...(ended && { sourceSegmentsDuration: ended.milliseconds / 1000 }),
    endedAt: ended ? new Date(ended.at).toISOString() : null,
    source: { container: 'mpegts', codec: 'h264' },
    archived: false,
    failure: null,
  };
}

export function refuseUnknownKeys(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Refusal('QUERY_UNKNOWN', { field: unknown });
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? '';
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  return limit === 0 ? usualLimit : Math.min(limit, largestLimit);
}

export function recordedOnly(query: URLSearchParams): boolean {
  const value = query.get('record') ?? '0';
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new Refusal('QUERY_INVALID', { field: 'record' });
}

/** A cursor holds the serial of the last item seen, and the kind of list it was given out by. */
function cursorFor(kind: string, serial: number): string {
  return Buffer.from(`${kind}:${serial}`).toString('base64url');
}

function serialBefore(query: URLSearchParams, kind: string): number {
  const cursor = query.get('cursor');
  if (cursor === null) return 0;
  const serial = Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);
  if (cursorFor(kind, serial) !== cursor || !Number.isSafeInteger(serial) || serial < 1) {
    throw new Refusal('CURSOR_INVALID', { field: 'cursor' });
  }
  return serial;
}

export function pageOf<Item extends Stream | Session>(
  { query, origin, path }: Call,
  items: readonly Item[],
  kind: Item['kind'],
  show: (item: Item) => object,
): Answer {
  const after = serialBefore(query, kind);
  const rest = items.filter((item) => item.serial > after);
  const page = rest.slice(0, limitOf(query));
  const last = page.at(-1);
  const shown = page.map(show);
  if (last === undefined || rest.length === page.length) return json(200, shown);
  const next = new URLSearchParams(query);
  next.set('cursor', cursorFor(kind, last.serial));
  return json(200, shown, { link: `<${origin}${path}?${next}>; rel="next"` });
}
