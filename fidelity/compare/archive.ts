import * as z from 'zod';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import { isObject } from '../../interface/json.ts';
import {
  type InterfaceOperationName,
  isInterfaceOperation,
} from '../../interface/operation-names.ts';
import type { ArchivedWorld } from '../../mocks/journal/exchange.ts';
import { decodeId, routeOf } from '../calls.ts';
import { parseText } from '../json.ts';
import { placeOfId, type Run } from './made.ts';
import type { Body, Mistake, Move, RecordPlace, RequestMove } from './moves.ts';

const text = z.string('a text');
const whole = z.int('a whole number');
const headers = z
  .array(z.looseObject({ name: text, value: text }), 'an array of headers')
  .transform((pairs) => new Headers(pairs.map(({ name, value }) => [name, value])));

const entrySchema = z.looseObject({
  request: z.looseObject({
    method: text,
    url: text,
    headers,
    postData: z.looseObject({ text }).exactOptional(),
  }),
  response: z.looseObject({
    status: z.union([z.literal(0), whole.min(200).max(599)], 'a status'),
    headers,
    content: z.looseObject({ text: text.exactOptional() }),
  }),
  _livestream: z.looseObject(
    { number: whole, operation: text.exactOptional(), fault: whole.exactOptional() },
    'the number of an exchange of a mock',
  ),
});

/** Only a mock writes this part, so it is taken as it is. */
const worldSchema = z.custom<ArchivedWorld>(
  (value) => isObject(value) && value['version'] === 1,
  'what a mock writes into the archives that it exports',
);

const archiveForm = 'an HTTP archive that a mock has exported';

const archiveSchema = z.looseObject(
  {
    log: z.looseObject(
      { entries: z.array(entrySchema, 'an array'), _livestream: worldSchema },
      archiveForm,
    ),
  },
  archiveForm,
);

/** The journal of a mock, as it was exported. */
export type Archive = z.infer<typeof archiveSchema>['log'];

/** A request of an archive, with its response. */
export type ArchiveEntry = Archive['entries'][number];

/** Reads the HTTP archive of a mock. @throws TypeError, in one sentence, for another text */
export function parseArchive(file: string): Archive {
  return parseReviewed(file, archiveSchema).log;
}

/** Why a request of an archive is not sent. */
export type Skipped =
  | 'a fault answered it'
  | 'media or an unknown route'
  | 'it cannot be sent again'
  | 'its body is not in the archive'
  | 'a snapshot was restored before it'
  | 'time ran out'
  | 'its stream or session cannot be made on the target';

/** What a replay has made so far. */
export interface Replayed {
  readonly run: Run;
  /** Ids that the mock knew. */
  readonly known: ReadonlySet<string>;
  /** Whether some session could not be made. */
  lacksSession: boolean;
  /** Whether a snapshot replaced what the mock had, which the target cannot do. */
  isRestored: boolean;
}

/** The request of an entry, with places for the ids of the mock; or why it is not sent. */
export function toMove(entry: ArchiveEntry, replayed: Replayed): Move | Skipped {
  const { request, response, _livestream } = entry;
  const { operation = '', fault } = _livestream;
  if (fault !== undefined || response.status === 0) return 'a fault answered it';
  if (!isInterfaceOperation(operation)) return 'media or an unknown route';
  if (replayed.isRestored) return 'a snapshot was restored before it';
  if (lacksBody(entry)) return 'its body is not in the archive';
  const address = addressOf(entry, operation);
  if (address === undefined || isHidden(entry)) return 'it cannot be sent again';
  const { id, url, endsInSlash } = address;
  const place = id === undefined ? undefined : placeFor(id, replayed);
  const isOfSession = /session|playback/i.test(operation);
  if ((id !== undefined && place === undefined) || (replayed.lacksSession && isOfSession)) {
    return 'its stream or session cannot be made on the target';
  }
  if (asksNextPage(entry, url)) return nextPage(operation, replayed);
  const isUsual = request.method === routeOf(operation).method;
  return {
    operation,
    ...queryOf(url, replayed.run),
    ...(place && { id: place }),
    ...(!isUsual && { method: request.method }),
    ...contentOf(entry, endsInSlash),
  };
}

/** Whether it has a cursor that the mock had given; one that it refused is sent as it is. */
function asksNextPage({ response }: ArchiveEntry, { searchParams }: URL): boolean {
  return searchParams.has('cursor') && response.status < 400;
}

/** A cursor is the mock's own: the target's next page is asked for instead. */
function nextPage(operation: InterfaceOperationName, { run }: Replayed): Move | Skipped {
  return run.next.has(operation) ? { operation, follow: true } : 'it cannot be sent again';
}

/** The address of a request, and the id in it; `undefined` for one that is not written as others are. */
function addressOf(
  { request }: ArchiveEntry,
  operation: InterfaceOperationName,
): { url: URL; id: string | undefined; endsInSlash: boolean } | undefined {
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  const path = routeOf(operation).path.replace('{id}', '(?<id>[^/]+)');
  const match = new RegExp(`${path}(?<slash>/?)$`).exec(url.pathname);
  if (match === null) return undefined;
  const { id: encoded, slash } = match.groups ?? {};
  const id = encoded === undefined ? undefined : decodeId(encoded);
  const isWrong = encoded !== undefined && id === undefined;
  return isWrong ? undefined : { url, id, endsInSlash: slash === '/' };
}

/** Whether there was a body that the journal did not keep: one that is too large, or no text. */
function lacksBody({ request, response }: ArchiveEntry): boolean {
  const isSent = ['POST', 'PUT', 'PATCH'].includes(request.method) && !request.postData;
  const isTold = request.method !== 'HEAD' && response.content.text === undefined;
  return (
    (isSent && request.headers.has('content-type')) ||
    (isTold && response.headers.has('content-type'))
  );
}

/** Whether a part of a request, such as a key, is not in the archive, or the mock only asked to wait. */
function isHidden({ request, response }: ArchiveEntry): boolean {
  const isOtherScheme = !/^(Bearer |$)/.test(request.headers.get('authorization') ?? '');
  const shown = `${request.url}${request.postData?.text}`;
  return isOtherScheme || response.status === 429 || shown.includes('[API key]');
}

/** The place of what has an id; `undefined` for what the mock knew and the target does not have. */
function placeFor(id: string, { run, known }: Replayed): RecordPlace | undefined {
  const place = placeOfId(run, id);
  if (place !== undefined || known.has(id)) return place;
  return { of: id === 'undefined' ? 'malformed' : 'unknown', at: 0 };
}

/** The query, with `{id}` for the id of the mock that is in it. */
function queryOf({ search, searchParams }: URL, run: Run): Pick<RequestMove, 'query' | 'id'> {
  if (search === '') return {};
  const named = [...searchParams.values()].find((value) => placeOfId(run, value) !== undefined);
  const id = named && placeOfId(run, named);
  const query = search.slice(1);
  return id ? { query: query.replace(encodeURIComponent(named), '{id}'), id } : { query };
}

/** What the headers and the body say; a journal shows no key, but whether it was refused. */
function contentOf(
  { request, response }: ArchiveEntry,
  endsInSlash: boolean,
): Partial<RequestMove> {
  const { headers, postData } = request;
  const origin = headers.get('origin');
  const type = headers.get('content-type');
  const wrong: Mistake[] = [];
  if (!headers.has('authorization')) wrong.push({ error: 'key:none', mutation: { key: 'none' } });
  else if (response.status === 401) wrong.push({ error: 'key:wrong', mutation: { key: 'wrong' } });
  if (endsInSlash) {
    wrong.push({ error: 'path:trailing-slash', mutation: { path: 'trailing-slash' } });
  }
  const json = postData && parseText(postData.text);
  const body = isObject(json) ? (json as Body) : undefined;
  if (postData !== undefined) {
    // Another text than an object is sent as it is.
    const { text } = postData;
    if (body === undefined) wrong.push({ error: 'another body', mutation: { text } });
    if (type !== 'application/json') wrong.push({ error: 'another type', mutation: { type } });
  }
  return {
    ...(origin !== null && { origin }),
    ...(headers.has('if-none-match') && { cached: true }),
    ...(body && { body }),
    wrong,
  };
}
