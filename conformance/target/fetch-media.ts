import { exchangesOf, rememberExchanges } from './evidence.ts';
import { type Bounds, exchange, type TargetResponse } from './exchange.ts';
import { fail, show } from './expectations.ts';
import { isPlainAddress, type Target } from './target.ts';

/** Where media lies. */
export interface MediaAddress {
  readonly href: string;
  /** How messages name it: an address that another origin gave is not shown. */
  readonly shown: string;
}

/** An address as the target itself gave it, in a session. */
export function asGiven(address: string, session: object): MediaAddress {
  return rememberExchanges({ href: address, shown: address }, exchangesOf([session]));
}

/** How much of media to read, and how. */
export interface Reading {
  /** Bytes that it may have. */
  readonly limit?: number;
  /** Takes it as it comes, as in {@link Bounds}; without, all of it is held in memory. */
  readonly onChunk?: Bounds['onChunk'];
}

/** Bytes that a playlist may have. */
export const playlistLimit: number = 4 * 1024 * 1024;
const streamedLimit = 2 * 1024 ** 3;
const heldLimit = 16 * 1024 ** 2;
const mostRedirects = 5;
const longestAddress = 8 * 1024;

/**
 * The address that a URI in an answer leads to. Where another origin than the target's has answered,
 * it is shown as `what` of the answer's own address.
 * @throws CheckFailure for what is no URI.
 */
export function addressIn(response: TargetResponse, uri: string, what: string): MediaAddress {
  if (!URL.canParse(uri, response.url)) {
    return fail(`${response.shown}: expected URIs, got one that is none`, response);
  }
  const { href } = new URL(uri, response.url);
  const shown = response.foreign ? `${what} of ${response.shown}` : href;
  return rememberExchanges({ href, shown }, exchangesOf([response]));
}

/**
 * Fetches media from an address that the target gave, or that was found behind one, without the key,
 * wherever it leads over http or https.
 * @throws NoAnswer or CheckFailure as {@link exchange} does; CheckFailure for an address that is not
 *   to be followed or that leads in a circle.
 */
export async function fetchMedia(
  target: Target,
  given: MediaAddress,
  note: Bounds['note'],
  { onChunk, limit = onChunk ? streamedLimit : heldLimit }: Reading = {},
): Promise<TargetResponse> {
  let address = given;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const url = readAddress(address);
    const foreign = url.origin !== new URL(target.baseUrl).origin;
    const name = address.shown === address.href ? url.href : address.shown;
    const response = await exchange(
      target.send,
      new Request(url, { redirect: 'manual' }),
      undefined,
      {
        timeout: target.timeout,
        limit,
        note,
        foreign,
        shown: name,
        ...(onChunk && { onChunk }),
      },
    );
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return response;
    address = addressIn(response, next, 'the redirect');
  }
  return fail(
    `${show(given.shown)}: expected media after at most ${mostRedirects} redirects, got one more`,
    address,
  );
}

function readAddress(address: MediaAddress): URL {
  const { href, shown } = address;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url !== undefined && isPlainAddress(url) && url.href.length <= longestAddress) return url;
  return fail(
    `address: expected an http or https URL without a user name and of at most ${longestAddress} characters, got ${show(shown)}`,
    address,
  );
}
