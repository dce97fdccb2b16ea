import * as z from 'zod';
import { parseReviewed } from '../../conformance/run/reviewed-file.ts';
import type { TargetCall } from '../../conformance/target/target.ts';
import { isObject } from '../../interface/json.ts';
import {
  type InterfaceOperationName,
  isInterfaceOperation,
} from '../../interface/operation-names.ts';
import type { ArchivedWorld } from '../../mocks/journal/exchange.ts';
import { decodeId, routeOf } from '../calls.ts';
import { placeOfId, type Run } from './made.ts';
import type { RequestMove } from './moves.ts';

type Pairs = readonly { readonly name: string; readonly value: string }[];

/** A request of an archive, with its response. */
export interface ArchiveEntry {
  request: { method: string; url: string; headers: Pairs; postData?: { text: string } };
  /** The status is 0 where there was none. */
  response: { status: number; headers: Pairs; content: { text?: string } };
  _livestream: { number: number; operation?: string; fault?: number };
}

/** Only a mock writes this part, so it is taken as it is. */
const worldSchema = z.custom<ArchivedWorld>(
  (value) => isObject(value) && value['version'] === 1,
  'what a mock writes into the archives that it exports',
);
const pairsSchema = z.array(z.looseObject({ name: z.string(), value: z.string() }));
const entriesSchema = z.array(
  z.looseObject({
    request: z.looseObject({ method: z.string(), url: z.string(), headers: pairsSchema }),
    response: z.looseObject({
      status: z.number(),
      headers: pairsSchema,
      content: z.looseObject({ text: z.string().exactOptional() }),
    }),
    _livestream: z.looseObject({ number: z.number() }),
  }),
) as unknown as z.ZodType<ArchiveEntry[]>;

const archiveForm = 'an HTTP archive that a mock has exported';

const archiveSchema = z.looseObject(
  { log: z.looseObject({ entries: entriesSchema, _livestream: worldSchema }, archiveForm) },
  archiveForm,
);

/** The journal of a mock, as it was exported. */
export type Archive = z.infer<typeof archiveSchema>['log'];

/** Headers as an archive writes them. */
export function headersOf({ headers }: { readonly headers: Pairs }): Headers {
  return new Headers(headers.map(({ name, value }) => [name, value]));
}

/** Reads the HTTP archive of a mock. @throws TypeError, in one sentence, for another text */
export function parseArchive(file: string): Archive {
  if (/^\s*\{\s*"kind"\s*:\s*"state"/.test(file)) {
    throw new TypeError(
      `expected ${archiveForm}, got an exported state: the archive is at /_mock/requests.har`,
    );
  }
  return parseReviewed(file, archiveSchema).log;
}

/** The request of an entry, with places for the ids of the mock; or why it is not sent. */
export function toMove(entry: ArchiveEntry, run: Run): RequestMove | string {
  const { request, response, _livestream } = entry;
  const { operation = '', fault } = _livestream;
  if (fault !== undefined || response.status === 0) return 'a fault answered it';
  if (!isInterfaceOperation(operation)) return 'media or an unknown route';
  if (lacksBody(entry)) return 'its body is not in the archive';
  const address = addressOf(request.url, operation);
  if (address === undefined || isHidden(entry)) return 'it cannot be sent again';
  const { url, path, id } = address;
  const call = { method: request.method, path: path + url.search, ...contentOf(entry) };
  if (id !== undefined) {
    const place = placeOfId(run, id);
    if (place !== undefined) return { operation, call, id: place };
    // The mock had it, so the target should.
    if (response.status < 400) return 'its stream or session cannot be made on the target';
    return { operation, call, id: { of: id === 'undefined' ? 'malformed' : 'unknown', at: 0 } };
  }
  const named = [...url.searchParams.values()].find((value) => placeOfId(run, value)) ?? '';
  const place = placeOfId(run, named);
  if (place === undefined) return { operation, call };
  return { operation, call: { ...call, path: call.path.replace(named, '{id}') }, id: place };
}

/** The address of a request, with `{id}` in its path for the id; `undefined` for one that is not written as others are. */
function addressOf(
  address: string,
  operation: InterfaceOperationName,
): { url: URL; path: string; id: string | undefined } | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const { path } = routeOf(operation);
  const match = new RegExp(`${path.replace('{id}', '([^/]+)')}(/?)$`).exec(url.pathname);
  if (match === null) return undefined;
  const slash = match.at(-1) ?? '';
  if (!path.includes('{id}')) return { url, path: path + slash, id: undefined };
  const id = decodeId(match[1] ?? '');
  return id === undefined ? undefined : { url, path: path + slash, id };
}

/** Whether there was a body that the journal did not keep: one that is too large, or no text. */
function lacksBody({ request, response }: ArchiveEntry): boolean {
  const isSent = ['POST', 'PUT', 'PATCH'].includes(request.method) && !request.postData;
  const isTold = request.method !== 'HEAD' && response.content.text === undefined;
  return (
    (isSent && headersOf(request).has('content-type')) ||
    (isTold && headersOf(response).has('content-type'))
  );
}

/**
 * Whether a part of a request, such as a key, is not in the archive, or means only something to the mock: it
 * asked to wait, said that an ETag of its own is the latest, or had given a cursor.
 */
function isHidden({ request, response }: ArchiveEntry): boolean {
  const isOtherScheme = !/^(Bearer |$)/.test(headersOf(request).get('authorization') ?? '');
  const shown = `${request.url}${request.postData?.text}`;
  const isNextPage = /[?&]cursor=/.test(request.url) && response.status < 400;
  const isOwn = isNextPage || [304, 429].includes(response.status);
  return isOwn || isOtherScheme || shown.includes('[API key]');
}

/** What the headers and the body say; a journal shows no key, but whether it was refused. */
function contentOf({ request, response }: ArchiveEntry): Partial<TargetCall> {
  const { postData } = request;
  const headers = headersOf(request);
  const sent = ['origin', 'content-type'].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const isRefused = response.status === 401;
  return {
    headers: Object.fromEntries(sent),
    credential: !headers.has('authorization') ? 'none' : isRefused ? 'wrong' : 'right',
    ...(postData && { body: postData.text, untyped: !headers.has('content-type') }),
  };
}
