import type { Header } from 'har-format';
import * as z from 'zod';
import { isObject } from '../../interface/json.ts';
import { isInterfaceOperation } from '../../interface/operation-names.ts';
import { hiddenKeyInUrl } from '../../mocks/journal/exchange.ts';
import type { ArchiveEntry, ArchiveLog } from '../../mocks/journal/har.ts';
import type { TargetCall } from '../../target/requests/call.ts';
import { notAnId } from '../../target/requests/well-known.ts';
import { hiddenKey } from '../../text/redact.ts';
import { parseReviewed } from '../../text/reviewed-file.ts';
import { routeOf } from '../operation-calls.ts';
import type { RequestMove } from './moves.ts';
import { findCreated, type SequenceRun } from './sequence-run.ts';

const cannotBeSent = 'it cannot be sent again';
/** Why a request is skipped whose stream or session the target lacks. */
export const cannotBeCreated = 'its stream or session cannot be made on the target';

const archiveForm = 'an HTTP archive that a mock has exported';

/** Only a mock writes these files, so their contents are taken as they are. */
function isArchive(log: unknown): log is ArchiveLog {
  const { entries, _livestream: world } = isObject(log) ? log : {};
  return Array.isArray(entries) && isObject(world) && world['version'] === 1;
}

const harSchema = z.looseObject({ log: z.custom<ArchiveLog>(isArchive, archiveForm) }, archiveForm);

/** Reads the HTTP archive of a mock. @throws TypeError, in one sentence, for another text */
export function parseArchive(file: string): ArchiveLog {
  if (/^\s*\{\s*"kind"\s*:\s*"state"/.test(file)) {
    throw new TypeError(
      `expected ${archiveForm}, got an exported state: the archive is at /_mock/requests.har`,
    );
  }
  return parseReviewed(file, harSchema, 'nothing').log;
}

/** Headers as an archive writes them. */
export function headersOf({ headers }: { readonly headers: readonly Header[] }): Headers {
  return new Headers(headers.map(({ name, value }) => [name, value]));
}

/** The request of an entry, without the mock's ids, or why it is not sent. */
export function toMove(entry: ArchiveEntry, run: SequenceRun): RequestMove | string {
  const { request, response, _livestream } = entry;
  const { operation = '', fault } = _livestream;
  if (fault !== undefined || response.status === 0) return 'a fault answered it';
  if (!isInterfaceOperation(operation)) return 'media or an unknown route';
  if (lacksBody(entry)) return 'its body is not in the archive';
  if (isUnrepeatable(entry)) return cannotBeSent;
  const { path } = routeOf(operation);
  const isInPath = path.includes('{id}');
  const address = new RegExp(`${path.replace('{id}', '([^/?]+)')}(/?(?:\\?.*)?)$`);
  const match = address.exec(request.url);
  if (match === null) return cannotBeSent;
  const exists = (itemId: string): boolean =>
    findCreated(run, { of: 'archived', id: itemId }) !== undefined;
  const parameters = new URL(request.url).searchParams.values();
  const id = isInPath ? match[1] : [...parameters].find(exists);
  const suffix = match.at(-1) ?? '';
  const sentPath = path + (isInPath ? suffix : suffix.replace(id ?? '{id}', '{id}'));
  const call = { method: request.method, path: sentPath, ...contentOf(entry) };
  if (id === undefined) return { endpoint: operation, call };
  // The mock had this object, so the target should have it, too.
  if (response.status < 400 && !exists(id)) return cannotBeCreated;
  const malformed = id === notAnId && ({ of: 'malformed', at: 0 } as const);
  return { endpoint: operation, call, id: malformed || { of: 'archived', id } };
}

/** Whether the journal did not keep a body, because it was too large or not text. */
function lacksBody({ request, response }: ArchiveEntry): boolean {
  const lacksSent = ['POST', 'PUT', 'PATCH'].includes(request.method) && !request.postData;
  const lacksReceived = request.method !== 'HEAD' && response.content.text === undefined;
  return (
    (lacksSent && headersOf(request).has('content-type')) ||
    (lacksReceived && headersOf(response).has('content-type'))
  );
}

/**
 * Whether part of a request, such as a key, is not in the archive, or only the mock understands it: a cursor
 * or an ETag that it gave, or a request that exceeded a limit of it.
 */
function isUnrepeatable({ request, response }: ArchiveEntry): boolean {
  const isOtherScheme = !/^(Bearer |$)/.test(headersOf(request).get('authorization') ?? '');
  const hidesKey =
    request.url.includes(hiddenKeyInUrl) || request.postData?.text.includes(hiddenKey) === true;
  const isNextPage = /[?&]cursor=/.test(request.url) && response.status < 400;
  const isOfMock = isNextPage || [304, 429].includes(response.status);
  return isOfMock || isOtherScheme || hidesKey;
}

/** The headers and the body. The journal does not hold the key, but shows whether it was refused. */
function contentOf({ request, response }: ArchiveEntry): Partial<TargetCall> {
  const { postData } = request;
  const headers = headersOf(request);
  const sentHeaders = [...headers].filter(([name]) => ['origin', 'content-type'].includes(name));
  // A page of a foreign origin may get 403 with the right key.
  const isRefused = response.status === 401 || (response.status === 403 && !headers.has('origin'));
  return {
    headers: Object.fromEntries(sentHeaders),
    credential: !headers.has('authorization') ? 'none' : isRefused ? 'wrong' : 'right',
    ...(postData && { body: postData.text, untyped: !headers.has('content-type') }),
  };
}
