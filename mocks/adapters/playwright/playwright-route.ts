import type { Request as AskedRequest, Route } from '@playwright/test';
import type { Mock } from '../../mock.ts';

/** Bytes that are sent at once of a part whose end is left open. */
const mostOfOpenPart = 4 * 1024 * 1024;
/** Bytes of an answer that must be sent whole. */
const mostOfWhole = 64 * 1024 * 1024;

/**
 * Answers an intercepted request. Playwright takes an answer only whole, in memory, and a recording
 * may have gigabytes. So a part without an end is cut short, which it may be (RFC 9110, 15.3.7):
 * browsers ask on. What cannot be sent fails the test.
 */
export async function answerRoute(mock: Mock, route: Route): Promise<void> {
  const asked = route.request();
  const answer = await mock.fetch(toRequest(asked));
  if (answer.status === 0) return route.abort('connectionreset');
  const open = answer.status === 206 && /^bytes=\d+-$/.test(asked.headers()['range'] ?? '');
  const refusal = open ? undefined : whyNotWhole(asked, answer);
  if (refusal !== undefined) {
    await Promise.all([answer.body?.cancel(), route.abort()]);
    throw new Error(`livestream: ${refusal}`);
  }
  const body = await readBytes(answer, open ? mostOfOpenPart : mostOfWhole);
  if (open) cutRange(answer.headers, body.length);
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body,
  });
}

/** Why an answer cannot be taken to its end, if so. */
function whyNotWhole(asked: AskedRequest, { body, headers }: Response): string | undefined {
  if (body === null) return undefined;
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    return `expected a request whose answer ends, got one for the events of ${asked.url()}; look at the fixture \`mock\` instead, or give the page a server (serve of livestream-mock/node)`;
  }
  const length = Number(headers.get('content-length'));
  if (length <= mostOfWhole) return undefined;
  return `expected a request for at most ${mostOfWhole} bytes, got one for ${length} bytes of ${asked.url()}; ask for less at once, or with an open end (range: bytes=N-)`;
}

function toRequest(asked: AskedRequest): Request {
  const body = asked.postDataBuffer();
  return new Request(asked.url(), {
    method: asked.method(),
    headers: asked.headers(),
    ...(body !== null && { body: new Uint8Array(body) }),
  });
}

/** The first bytes of an answer, `most` of them; what follows is not computed. */
async function readBytes({ body }: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/** Makes the headers of a part tell the bytes that are sent of it. */
function cutRange(headers: Headers, length: number): void {
  const [, start, whole] =
    /^bytes (\d+)-\d+(\/\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  headers.set('content-range', `bytes ${start}-${Number(start) + length - 1}${whole}`);
  headers.set('content-length', String(length));
}
