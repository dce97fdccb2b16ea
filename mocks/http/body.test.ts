import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { type RequestParts, readErrors, testRequest } from './request.test-support.ts';

const limit = 102_400;
const utf8 = new TextEncoder();

/** Sends a body as a new stream's. */
function create(body: RequestParts['body'], parts: RequestParts = {}): Promise<Response> {
  return createMock().fetch(testRequest('POST /api/stream', { ...(body && { body }), ...parts }));
}

async function refuses(response: Response, status: number, text: string): Promise<void> {
  expect([response.status, ...(await readErrors(response))]).toEqual([status, text]);
}

async function accepts(response: Response, name: string): Promise<void> {
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ name });
}

function jsonOf(bytes: number): string {
  return `{"name":"${'x'.repeat(bytes - 11)}"}`;
}

function announced(length: number): RequestParts {
  return { headers: { 'content-length': String(length) } };
}

const full = jsonOf(limit);
const over = jsonOf(limit + 1);
const wide = `{"name":"${'é'.repeat(limit / 2)}"}`;
const tooLarge = `body: expected at most ${limit} bytes, got more`;

test.each([
  { how: 'with its length announced', body: full, parts: announced(limit), fits: true },
  { how: 'in chunks', body: utf8.encode(full), parts: {}, fits: true },
  { how: 'and a byte', body: over, parts: announced(limit + 1), fits: false },
  { how: 'and a byte, in chunks', body: utf8.encode(over), parts: {}, fits: false },
  { how: 'and a byte, announced as less', body: over, parts: announced(5), fits: false },
  { how: 'in characters, which are more bytes', body: wide, parts: {}, fits: false },
])('a body of 100 kB $how fits: $fits', async ({ body, parts, fits }) => {
  const response = await create(body, parts);
  if (fits) await accepts(response, 'x'.repeat(limit - 11));
  else await refuses(response, 413, tooLarge);
});

test('of a longer body, no more than 100 kB are read', async () => {
  let read = 0;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      read += 1024;
      controller.enqueue(utf8.encode('x'.repeat(1024)));
    },
  });
  expect((await create(endless)).status).toBe(413);
  expect(read).toBeLessThan(110 * 1024);
});

test('a body that is too large is refused even if nobody has read a copy of the request', async () => {
  const request = testRequest('POST /api/stream', { body: over });
  request.clone();
  await refuses(await createMock().fetch(request), 413, tooLarge);
});

test('a body that ends early or was already read is refused', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error() });
  const read = testRequest('POST /api/stream', { body: '{"name":"a"}' });
  await read.text();
  for (const response of [await create(broken), await createMock().fetch(read)]) {
    const got = 'got one that ended early, is corrupt or was already read';
    await refuses(response, 400, `body: expected a complete body, ${got}`);
  }
});

test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/merge-patch+json'])(
  'the content type %s is accepted',
  async (type) => {
    await accepts(await create('{"name":"a"}', { type }), 'a');
  },
);

const json = 'header content-type: expected application/json, got';
const utf = 'header content-type: expected the charset utf-8, got';
const none = 'header content-encoding: expected none, got';

test.each<[told: string, got: string, parts: RequestParts]>([
  [json, 'nothing', { type: null }],
  [json, '"text/plain"', { type: 'text/plain' }],
  [utf, '"application/json; charset=utf-16"', { type: 'application/json; charset=utf-16' }],
  [none, '"gzip"', { headers: { 'content-encoding': 'gzip' } }],
])('%s %s', async (told, got, parts) => {
  await refuses(await create(utf8.encode('{"name":"a"}'), parts), 415, `${told} ${got}`);
});

test('an unexpected body is not read with DELETE, but must be JSON with POST', async () => {
  const { fetch } = createMock();
  const deletion = testRequest('DELETE /api/stream/nowhere', { body: '{', type: 'text/plain' });
  expect((await fetch(deletion)).status).toBe(404);
  expect((await fetch(testRequest('POST /_mock/reset', { body: 'now' }))).status).toBe(400);
});

test('a body with an error in each of thousands of profiles is refused in little time', async () => {
  const mock = createMock();
  const profiles = Array.from({ length: 30_000 }, () => ({}));
  const start = performance.now();
  for (let sent = 0; sent < 5; sent++) {
    const body = JSON.stringify({ name: 'a', profiles });
    const response = await mock.fetch(testRequest('POST /api/stream', { body }));
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toHaveLength(20);
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
