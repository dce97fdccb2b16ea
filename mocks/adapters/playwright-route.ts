import type { Request as PageRequest, Route } from '@playwright/test';
import type { UnableEffects } from '../faults/fault.ts';
import type { Mock } from '../mock.ts';

const wholeOnly =
  'Playwright hands a page only whole responses; serve the mock with serve() of livestream-mock/node instead';

/** The effects that Playwright's routes cannot produce, each with the reason. */
export const unableInPlaywright: UnableEffects = { truncate: wholeOnly, drip: wholeOnly };

/** Maximum number of bytes sent for a range without an end. */
const maxOfOpenRange = 4 * 1024 * 1024;
/** Maximum size of a response that must be sent whole, in bytes. */
const maxOfWhole = 64 * 1024 * 1024;

/**
 * Fulfills an intercepted request. Playwright accepts only whole responses, in memory
 * (https://github.com/microsoft/playwright/issues/33564), and a recording may have gigabytes. So a range without an end
 * is cut short, as RFC 9110, 15.3.7, allows, and browsers request the next part. A response that cannot be sent fails
 * the test.
 */
export async function fulfillRoute(fetch: Mock['fetch'], route: Route): Promise<void> {
  const request = route.request();
  const url = request.url();
  const response = await fetchFollowing(fetch, toRequest(request));
  const { status, headers } = response;
  if (status === 0) return route.abort('connectionreset');
  const refuse = async (reason: string): Promise<never> => {
    await Promise.all([response.body?.cancel(), route.abort()]);
    throw new Error(`livestream: expected ${reason}`);
  };
  if (response.body !== null && headers.get('content-type')?.startsWith('text/event-stream')) {
    return refuse(
      `a response that ends, got the events at ${url} (Playwright cannot deliver an endless response); use the fixture \`mock\` instead, or give the page a server (serve of livestream-mock/node)`,
    );
  }
  const isOpenRange = status === 206 && /^bytes=\d+-$/.test(request.headers()['range'] ?? '');
  const body = await firstBytes(response, isOpenRange ? maxOfOpenRange : maxOfWhole + 1);
  if (body.length > maxOfWhole) {
    return refuse(
      `a response of at most ${maxOfWhole} bytes, got more from ${url}; request less at once, or media with a range without an end (range: bytes=N-), or give the page a server (serve of livestream-mock/node)`,
    );
  }
  if (isOpenRange) cutRange(headers, body.length);
  await route.fulfill({ status, headers: Object.fromEntries(headers), body });
}

/** How many redirects are followed, as many as browsers follow. */
const mostRedirects = 20;

/**
 * The response at the end of redirects. Playwright does not hand a route the request that follows a redirect, so the page
 * would look for the mock on the network.
 */
async function fetchFollowing(fetch: Mock['fetch'], request: Request): Promise<Response> {
  let response = await fetch(request);
  let url = request.url;
  for (let redirects = 0; redirects < mostRedirects; redirects += 1) {
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400;
    if (!isRedirect || location === null || request.method !== 'GET') return response;
    url = new URL(location, url).href;
    response = await fetch(new Request(url, { headers: request.headers }));
  }
  return response;
}

function toRequest(request: PageRequest): Request {
  const body = request.postDataBuffer();
  return new Request(request.url(), {
    method: request.method(),
    headers: request.headers(),
    ...(body !== null && { body: new Uint8Array(body) }),
  });
}

/** The first bytes of a response, at most `limit`. The rest is not computed. */
async function firstBytes({ body }: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Changes the headers of a range to say which bytes of it are sent. */
function cutRange(headers: Headers, length: number): void {
  const [, start, total] =
    /^bytes (\d+)-\d+(\/\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  headers.set('content-range', `bytes ${start}-${Number(start) + length - 1}${total}`);
  headers.set('content-length', String(length));
}
