import { hashText } from '../../fixtures/random.ts';
import { jsonType } from '../../interface/default-responses.ts';
import { allowsOrigins } from '../../interface/dialect/behaviours.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isText, openHeaders, type PlainResponse } from '../messages/response.ts';
import type { Arrival } from './arrival.ts';
import { corsHeaders } from './responses/cors-headers.ts';

/**
 * Changes a response into what its client gets: with a dialect's content type, ETag, CORS headers, and the headers
 * that all its responses have.
 */
export function applyDialect(arrival: Arrival, response: PlainResponse): PlainResponse {
  if (response.status === 0) return response;
  const { request, dialect, notes } = arrival;
  const { behaviours } = dialect;
  const preflight = request.method === 'OPTIONS' ? preflightHeaders(request, dialect) : undefined;
  const cors = arrival.isForControl ? openHeaders : corsHeadersOf(arrival, response);
  if (dialect === defaultDialect) {
    // Spreading several objects would cost as much as the rest of a response.
    return { ...response, headers: Object.assign({}, response.headers, cors, preflight) };
  }
  const headers: Record<string, string> = {
    ...behaviours['http.headers'],
    ...response.headers,
    ...cors,
    ...preflight,
  };
  if (!notes.isStatic && response.status < 400 && headers['content-type'] === jsonType) {
    headers['content-type'] = behaviours['http.json-type'];
  }
  const vary = behaviours['http.headers']['vary'];
  if (vary !== undefined && cors['vary'] !== undefined)
    headers['vary'] = `${vary}, ${cors['vary']}`;
  return withEtag(arrival, { ...response, headers });
}

/** The headers that let pages of another origin read a response, or that keep them from it. */
export function corsHeadersOf(
  { request, dialect, plans }: Arrival,
  { status }: Pick<PlainResponse, 'status'>,
) {
  const { method, headers } = request;
  const origin = headers.get('origin');
  if (origin === null && method !== 'OPTIONS') return plans.corsHeaders;
  return corsHeaders(origin, method, status, dialect.behaviours);
}

/** A response with the ETag that a dialect gives it, or the one that says that nothing has changed. */
function withEtag(arrival: Arrival, response: PlainResponse): PlainResponse {
  const { body } = response;
  if (!isText(body) || !hasEtag(arrival, response)) return response;
  const bodyText = body.join('');
  const etag = `"${bodyText.length.toString(36)}-${(hashText(bodyText) >>> 0).toString(36)}"`;
  const headers: Record<string, string> = { ...response.headers, etag };
  const { request, dialect } = arrival;
  const isConditional =
    dialect.behaviours['http.etag'] === 'conditional' && isRead(arrival, response);
  if (!isConditional || !namesEtag(request.headers.get('if-none-match'), etag)) {
    return { ...response, headers };
  }
  const { 'content-type': _, ...headersWithoutType } = headers;
  return { status: 304, headers: headersWithoutType, body: null };
}

/** Whether a dialect gives a response with a body an ETag. */
function hasEtag(arrival: Arrival, response: PlainResponse): boolean {
  const { 'http.etag': ofReads, 'http.etag-of': others } = arrival.dialect.behaviours;
  if (isRead(arrival, response)) return ofReads !== 'absent';
  if (arrival.notes.operation === undefined) return false;
  return others[response.status < 400 ? 'changes' : 'refusals'] === 'present';
}

/** Whether a response shows what was asked for with GET or HEAD. */
function isRead({ request: { method } }: Arrival, { status }: PlainResponse): boolean {
  return status === 200 && (method === 'GET' || method === 'HEAD');
}

/** The headers of a preflight, which say what pages of another origin may send. */
function preflightHeaders(request: Request, { behaviours }: ResolvedDialect) {
  if (!allowsOrigins(behaviours['cors.origins'].preflights)) return {};
  const names = behaviours['cors.allowed-headers'];
  const askedNames = request.headers.get('access-control-request-headers');
  return withValues({
    'access-control-allow-methods': behaviours['cors.allowed-methods'].join(', '),
    'access-control-allow-headers':
      names === 'asked' ? (askedNames ?? 'authorization, content-type') : names.join(', '),
    'access-control-max-age': behaviours['cors.max-age']?.toString(),
  });
}

/** The headers that have a value. */
function withValues(headers: Readonly<Record<string, string | null | undefined>>) {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => !!entry[1]));
}

/** Whether `If-None-Match` names an ETag. */
function namesEtag(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === '*' || tag === etag) ?? false;
}
