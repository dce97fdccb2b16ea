import type { Exchange } from '../../journal/exchange.ts';
import { hiddenKey } from '../../journal/hide-secrets.ts';

/** A request of the journal, with the key in place if it may have it. */
export interface CompleteRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Whether it has the key; a request to another origin has not. */
  readonly hasKey: boolean;
}

/** Headers that whatever sends a request writes by itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
]);

/**
 * Completes a request of the journal, which hides the key. It gets the key only for this server: an
 * imported journal may name any other. An address that held the key is none any more.
 */
export function completeRequest(
  { method, url: address, headers, body }: Exchange['request'],
  apiKey: string,
): CompleteRequest | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const hasKey = url.origin === location.origin;
  const key = hasKey ? apiKey : hiddenKey;
  const sent = Object.entries(headers)
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => [name, value.replaceAll(hiddenKey, () => key)] as const);
  return { method, url, headers: sent, hasKey, ...(body !== undefined && { body }) };
}

/** Whether the page can send it again: to this server, and not to its control API. */
export function isReplayable(request: CompleteRequest | undefined): request is CompleteRequest {
  return request?.hasKey === true && !namesControl(request.url.pathname);
}

/** The server decodes a path before it routes it. */
function namesControl(path: string): boolean {
  try {
    return decodeURIComponent(path).includes('/_mock');
  } catch {
    return true;
  }
}

/** Sends a request again, as the app did: the journal has it, and faults match it. */
export async function replay({ method, url, headers, body }: CompleteRequest): Promise<string> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(hasBody && { body }),
  }).catch((error: Error) => {
    throw new Error(`The request was sent again, and got no response: ${error.message}.`);
  });
  await response.body?.cancel();
  return `The request was sent again, and got ${response.status}.`;
}
