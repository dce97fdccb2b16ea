import { hashText } from '../../fixtures/random.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { isText, jsonType, openHeaders, type PlainResponse } from '../messages/response.ts';
import { namesEtag } from './byte-range.ts';
import { corsHeaders } from './cors.ts';

/** The response as a client gets it under a dialect: its content type, its ETag, and what other origins may read. */
export function imitate(
  request: Request,
  response: PlainResponse,
  behaviours: Behaviours,
): PlainResponse {
  const own = Object.entries(response.headers).filter(([name]) => !(name in openHeaders));
  const headers = { ...Object.fromEntries(own), ...corsHeaders(request, behaviours) };
  if (response.status < 400 && headers['content-type'] === jsonType) {
    headers['content-type'] = behaviours['http.json-type'];
  }
  const tagged = { ...response, headers };
  return behaviours['http.etag'] === 'absent' ? tagged : withEtag(request, tagged, behaviours);
}

function withEtag(
  { method, headers: asked }: Request,
  response: PlainResponse,
  behaviours: Behaviours,
): PlainResponse {
  const { status, headers, body } = response;
  if (status !== 200 || !isText(body) || (method !== 'GET' && method !== 'HEAD')) return response;
  const text = body.join('');
  const etag = `"${text.length.toString(36)}-${(hashText(text) >>> 0).toString(36)}"`;
  const isKnown =
    behaviours['http.etag'] === 'conditional' && namesEtag(asked.get('if-none-match'), etag);
  const { 'content-type': type = '', ...others } = headers;
  return isKnown
    ? { status: 304, headers: { ...others, etag }, body: null }
    : { ...response, headers: { ...headers, etag, 'content-type': type } };
}
