import { show } from '../../text/phrases.ts';
import { sendPaced } from '../requests/call.ts';
import { type Bounds, exchange, type TargetResponse } from '../requests/exchange.ts';
import { exchangesOf, fail, rememberExchanges } from '../requests/failure.ts';
import { isPlainAddress, type Target } from '../requests/target.ts';

/** The address of media. */
export interface MediaAddress {
  readonly href: string;
  /** How messages name it: an address from another origin is not shown. */
  readonly label: string;
}

/** An address in a session of the target. */
export function mediaAddressOf(session: object, address: string): MediaAddress {
  return rememberExchanges({ href: address, label: address }, exchangesOf([session]));
}

/** Fetches media without the key. */
export type FetchMedia = (address: MediaAddress, reading?: Reading) => Promise<TargetResponse>;

/** How much of the media to read, and how. */
export interface Reading {
  /** Maximum size, in bytes. */
  readonly limit?: number;
  /** Takes it chunk by chunk, as in {@link Bounds}; without this, all of it is held in memory. */
  readonly onChunk?: Bounds['onChunk'];
}

/** Maximum size of a playlist, in bytes: enough for about a day. Once parsed, it takes 30 times as much memory. */
const playlistLimit = 2 * 1024 * 1024;
/** Maximum size of a file that is read chunk by chunk, in bytes. */
const fileLimit = 2 * 1024 ** 3;
const maxRedirects = 5;
const longestAddress = 8 * 1024;

/**
 * The address that a URI in a response leads to. If the response came from another origin than the
 * target's, messages name the address as `what` of the response's own.
 * @throws CheckFailure for text that is not a URI.
 */
export function addressIn(response: TargetResponse, uri: string, what: string): MediaAddress {
  if (!URL.canParse(uri, response.url)) {
    return fail(`${response.label}: expected URIs, got text that is not a URI`, response);
  }
  const { href } = new URL(uri, response.url);
  const label = response.foreign ? `${what} of ${response.label}` : href;
  return rememberExchanges({ href, label }, exchangesOf([response]));
}

/**
 * Fetches media, without the key, from an address that the target gave, directly or in a playlist. It
 * follows redirects over http and https, and waits its turn as every request of the run does.
 * @throws NoResponse or CheckFailure as {@link sendPaced} does, and CheckFailure for too many redirects
 *   and for an address that is not plain http or https.
 */
export async function fetchMedia(
  target: Target,
  firstAddress: MediaAddress,
  note?: Bounds['note'],
  { onChunk, limit = onChunk ? fileLimit : playlistLimit }: Reading = {},
): Promise<TargetResponse> {
  const { timeout, baseUrl } = target;
  let address = firstAddress;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const url = readMediaAddress(address);
    const foreign = url.origin !== new URL(baseUrl).origin;
    const label = address.label === address.href ? url.href : address.label;
    const bounds = { timeout, limit, note, foreign, label, ...(onChunk && { onChunk }) };
    const response = await sendPaced(target, `GET ${label}`, () =>
      exchange(target, url, {}, bounds),
    );
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return response;
    address = addressIn(response, next, 'the redirect');
  }
  return fail(
    `${show(firstAddress.label)}: expected media after at most ${maxRedirects} redirects, got one more`,
    address,
  );
}

function readMediaAddress(address: MediaAddress): URL {
  const { href, label } = address;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url !== undefined && isPlainAddress(url) && url.href.length <= longestAddress) return url;
  return fail(
    `address: expected an http or https URL without a user name, of at most ${longestAddress} characters, got ${show(label)}`,
    address,
  );
}
