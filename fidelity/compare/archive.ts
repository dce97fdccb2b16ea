import * as z from 'zod';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import type { ArchivedWorld } from '../../mocks/journal/exchange.ts';
import { isObject, type Json } from '../json.ts';
import { type Move, type OperationName, operations, type RequestMove } from './moves/move.ts';
import { type MadeRecords, placeOfId } from './run/made-records.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}

/** A request with the response of a mock, as far as it is read. */
export interface Entry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly postData?: { readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly content: { readonly text?: string };
  };
  readonly _livestream: {
    readonly number: number;
    readonly operation?: string;
    readonly fault?: number;
  };
}

/** The journal of a mock, as it was exported. */
export interface Archive {
  readonly entries: readonly Entry[];
  readonly world: ArchivedWorld;
}

const text = z.string('a text');
const whole = z.int('a whole number');
const headers = z.array(z.looseObject({ name: text, value: text }), 'an array of headers');
const stream = z.looseObject({
  id: text,
  playbackId: text,
  name: text,
  profiles: z.array(z.looseObject({}), 'an array of profiles'),
  record: z.boolean('true or false'),
});
const session = z.looseObject({
  id: text,
  parentId: text,
  record: z.boolean('true or false'),
  duration: z.number('seconds').max(1e7, 'seconds'),
});
const streamId = text;
const after = whole;
const arranged = z.discriminatedUnion(
  'kind',
  [
    z.looseObject({ kind: z.literal('created'), after, stream }),
    z.looseObject({ kind: z.literal('switched'), after, streamId, record: z.boolean() }),
    z.looseObject({ kind: z.literal('deleted'), after, streamId }),
    z.looseObject({ kind: z.literal('live'), after, streamId, sessionId: text }),
    z.looseObject({ kind: z.literal('ended'), after, streamId, duration: z.number() }),
  ],
  'what was done',
);
const archiveSchema = z.looseObject({
  log: z.looseObject({
    entries: z.array(
      z.looseObject({
        request: z.looseObject({
          method: text,
          url: text,
          headers,
          postData: z.looseObject({ text }).exactOptional(),
        }),
        response: z.looseObject({
          status: whole.min(0, 'a status').max(599, 'a status'),
          headers,
          content: z.looseObject({ text: text.exactOptional() }),
        }),
        _livestream: z.looseObject({ number: whole }, 'the number of an exchange of a mock'),
      }),
      'an array',
    ),
    _livestream: z.looseObject(
      {
        version: z.literal(1, '1'),
        world: text,
        streams: z.array(stream, 'an array'),
        sessions: z.array(session, 'an array'),
        arranged: z.array(arranged, 'an array'),
      },
      'what a mock writes into the archives that it exports',
    ),
  }),
});

/** Reads the HTTP archive of a mock. @throws TypeError, in one sentence, for another text */
export function parseArchive(file: string): Archive {
  const { log } = parseReviewed(file, archiveSchema);
  return { entries: log.entries, world: log._livestream } as unknown as Archive;
}

/** Why a request of an archive is not sent. */
export type Skipped =
  | 'a fault answered it'
  | 'it is for media, or for nothing that the interface has'
  | 'it cannot be sent again'
  | 'what it is about cannot be made there';

/** What has been made for the requests of an archive. */
export interface Mapping {
  readonly made: MadeRecords;
  /** Ids that the mock knew. */
  readonly known: ReadonlySet<string>;
  /** Streams of which a session could not be made. */
  readonly incomplete: ReadonlySet<string>;
}

/** The request of an entry, with places for the ids of the mock; or why it cannot be sent. */
export function toMove(entry: Entry, mapping: Mapping): Move | Skipped {
  const { request, response, _livestream } = entry;
  const name = _livestream.operation as OperationName;
  if (_livestream.fault !== undefined || response.status === 0) return 'a fault answered it';
  if (!Object.hasOwn(operations, name)) {
    return 'it is for media, or for nothing that the interface has';
  }
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const path = operations[name].path.replace('{id}', '(?<id>[^/]+)');
  const matched = new RegExp(`${path}(?<slash>/?)$`).exec(url?.pathname ?? '');
  if (url === undefined || matched === null || isHidden(entry)) return 'it cannot be sent again';
  const { id, slash } = matched.groups ?? {};
  const place = placeFor(id, mapping);
  if (place === undefined || (mapping.incomplete.size > 0 && /session|playback/i.test(name))) {
    return 'what it is about cannot be made there';
  }
  if (url.searchParams.has('cursor')) return nextPage(name, mapping);
  return {
    operation: name,
    ...place,
    ...queryOf(url, mapping),
    ...(request.method !== operations[name].method && { method: request.method }),
    ...(slash === '/' && { path: 'slash' }),
    ...bodyOf(entry),
    ...headersOf(entry),
  };
}

/** A cursor is the mock's own: the target's next page is asked for instead. */
function nextPage(name: OperationName, { made }: Mapping): Move | Skipped {
  return made.next?.move.operation === name ? { follow: true } : 'it cannot be sent again';
}

function queryOf({ searchParams }: URL, { made }: Mapping): Pick<RequestMove, 'query'> {
  const query = [...searchParams].map(([key, value]) => [key, placeOfId(made, 1, value) ?? value]);
  return query.length === 0 ? {} : { query: Object.fromEntries(query) };
}

/** Whether a part of a request, such as a key, is not in the archive, or the mock only asked to wait. */
function isHidden({ request, response }: Entry): boolean {
  const isOtherScheme = !/^(Bearer |$)/.test(headerOf(request.headers, 'authorization') ?? '');
  const shown = `${request.url}${request.postData?.text}`;
  return isOtherScheme || response.status === 429 || shown.includes('[API key]');
}

/** The place of what has an id; `undefined` for what the mock knew and the target does not have. */
function placeFor(
  encoded: string | undefined,
  { made, known }: Mapping,
): Pick<RequestMove, 'id'> | undefined {
  if (encoded === undefined) return {};
  const id = decodeURIComponent(encoded);
  const place = placeOfId(made, 1, id);
  if (place !== undefined) return { id: place };
  if (known.has(id)) return undefined;
  return { id: { of: id === 'undefined' ? 'malformed' : 'unknown', at: 0 } };
}

function headerOf(all: readonly Header[], name: string): string | undefined {
  return all.find((header) => header.name.toLowerCase() === name)?.value;
}

/** What the headers say; a journal shows no key, but whether it was refused. */
function headersOf({ request, response }: Entry): Partial<RequestMove> {
  const origin = headerOf(request.headers, 'origin');
  const isAnonymous = headerOf(request.headers, 'authorization') === undefined;
  return {
    ...(isAnonymous && { credential: 'none' }),
    ...(!isAnonymous && response.status === 401 && { credential: 'wrong' }),
    ...(origin !== undefined && { origin }),
    ...(headerOf(request.headers, 'if-none-match') !== undefined && { cached: true }),
  };
}

function bodyOf({ request: { postData, headers: all } }: Entry): Partial<RequestMove> {
  if (postData === undefined) return {};
  const type = headerOf(all, 'content-type') ?? null;
  const typed = type === 'application/json' ? {} : { type };
  try {
    const parsed: unknown = JSON.parse(postData.text);
    if (isObject(parsed)) return { body: parsed as Record<string, Json>, ...typed };
  } catch {
    // A text that is no JSON is sent as it is.
  }
  return { text: postData.text, ...typed };
}
