import { hashText } from '../../fixtures/random.ts';
import type { Manners } from '../../interface/dialect.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { isText, jsonType, openHeaders, type PlainResponse } from '../messages/response.ts';
import { namesEtag } from './byte-range.ts';
import { corsHeaders } from './cors.ts';

/**
 * A response as clients get it under a dialect, with its content type, its ETag, and the headers that every
 * response has or pages of other origins need.
 */
export function imitate(
  request: Request,
  response: PlainResponse,
  manners: Manners,
): PlainResponse {
  const { rows } = manners;
  const own = Object.entries(response.headers).filter(([name]) => !(name in openHeaders));
  const headers = {
    ...rows['http.headers'],
    ...Object.fromEntries(own),
    ...corsHeaders(request, manners),
  };
  if (response.status < 400 && headers['content-type'] === jsonType) {
    headers['content-type'] = rows['http.json-type'];
  }
  const imitated = { ...response, headers };
  const etag = rows['http.etag'];
  return etag === 'absent' ? imitated : withEtag(request, imitated, etag);
}

function withEtag(
  { method, headers: asked }: Request,
  response: PlainResponse,
  mode: Behaviours['http.etag'],
): PlainResponse {
  const { status, body } = response;
  if (status !== 200 || !isText(body) || (method !== 'GET' && method !== 'HEAD')) return response;
  const text = body.join('');
  const etag = `"${text.length.toString(36)}-${(hashText(text) >>> 0).toString(36)}"`;
  const headers = { ...response.headers, etag };
  if (mode === 'present' || !namesEtag(asked.get('if-none-match'), etag)) {
    return { ...response, headers };
  }
  const { 'content-type': _, ...others } = headers as Record<string, string>;
  return { status: 304, headers: others, body: null };
}
