import { toCurl } from '../../text/curl.ts';
import { hiddenKey } from '../../text/redact.ts';
import type { Exchange } from '../journal/exchange.ts';
import { pathAndQuery } from '../journal/filter.ts';
import { isControlRequest } from '../messages/tester-request.ts';

/** A request of the journal that can be sent again. */
export interface CompleteRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Whether the key was put back into it; a request to another origin does not get it. */
  readonly hasKey: boolean;
}

/** Headers that every client sets itself. */
const clientHeaders = /^(accept-encoding|connection|content-length|host|transfer-encoding)$/i;

/**
 * Puts the key, which the journal hides, back into a request. Only requests to this server get it: an imported
 * journal may name any other server. A URL that contained the key is no longer valid.
 */
export function completeRequest(
  { method, url: address, headers: recordedHeaders, body }: Exchange['request'],
  apiKey: string,
  origin: string,
): CompleteRequest | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const hasKey = url.origin === origin;
  const key = hasKey ? apiKey : hiddenKey;
  const headers = new Headers();
  for (const [name, value] of Object.entries(recordedHeaders)) {
    if (clientHeaders.test(name)) continue;
    headers.set(
      name,
      value.replaceAll(hiddenKey, () => key),
    );
  }
  return { method, url, headers, hasKey, body };
}

/** Whether the page may send it again: only to this server, and not to its control API. */
export function canResend(request: CompleteRequest): boolean {
  return request.hasKey && !isControlRequest({ url: request.url.href });
}

/** Sends a request again as the app did: it appears in the journal, and faults match it. */
export async function resend({ method, url, headers, body }: CompleteRequest): Promise<string> {
  const sentBody = method === 'GET' || method === 'HEAD' ? null : (body ?? null);
  const response = await fetch(url, { method, headers, body: sentBody }).catch(
    (exception: Error) => {
      throw new Error(`The request was sent again, but got no response: ${exception.message}.`);
    },
  );
  await response.body?.cancel();
  return `The request was sent again, and got ${response.status}.`;
}

/** A request as code. */
export function asCode(request: Omit<CompleteRequest, 'hasKey'>): [name: string, line: string][] {
  const { method, url, headers, body } = request;
  const options = { method, headers: Object.fromEntries(headers), body };
  return [
    ['curl', toCurl(request)],
    ['fetch', `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(options)});`],
  ];
}

/** The fields of a fault that gives similar requests the same response. */
export function faultLike(
  { operation, request, response }: Exchange,
  prefix: string,
): Record<string, string> {
  const path = pathAndQuery(request.url).replace(prefix, '');
  const [, id = ''] = /^\/(?:stream|session|playback|hls|recordings)\/([^/?]+)/.exec(path) ?? [];
  const scope = { operation: operation ?? '', id };
  if (response.status === 0) return { effect: 'reset', ...scope };
  return { effect: 'answer', status: String(response.status), body: response.body ?? '', ...scope };
}
