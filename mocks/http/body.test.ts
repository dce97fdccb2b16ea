import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { type RequestParts, readErrors, testRequest } from './request.test-support.ts';

const limit = 102_400;
const utf8 = new TextEncoder();

/** Sends a body as a new stream's. */
function create(body: RequestParts['body'], parts: RequestParts = {}): Promise<Response> {
  return createMock().fetch(testRequest('POST /api/stream', { ...(body && { body }), ...parts }));
}

async function refuses(response: Response, status: number, text: string | RegExp): Promise<void> {
  expect(response.status).toBe(status);
  const errors = await readErrors(response);
  expect(errors[0]).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
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
  { how: 'with its length announced', make: () => full, parts: announced(limit), fits: true },
  { how: 'in chunks', make: () => utf8.encode(full), parts: {}, fits: true },
  { how: 'and a byte', make: () => over, parts: announced(limit + 1), fits: false },
  { how: 'and a byte, in chunks', make: () => utf8.encode(over), parts: {}, fits: false },
  { how: 'and a byte, announced as less', make: () => over, parts: announced(5), fits: false },
  { how: 'in characters, which are more bytes', make: () => wide, parts: {}, fits: false },
])('a body of 100 kB $how fits: $fits', async ({ make, parts, fits }) => {
  const response = await create(make(), parts);
  if (fits) await accepts(response, 'x'.repeat(limit - 11));
  else await refuses(response, 413, tooLarge);
});

test('no more than 100 kB are read of a longer body', async () => {
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

test('a body that is too large is refused of a request whose copy nobody has read', async () => {
  const request = testRequest('POST /api/stream', { body: over });
  request.clone();
  await refuses(await createMock().fetch(request), 413, tooLarge);
});

test('a body that breaks off or was read before is refused', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error() });
  const read = testRequest('POST /api/stream', { body: '{"name":"a"}' });
  await read.text();
  for (const response of [await create(broken), await createMock().fetch(read)]) {
    const got = 'got one that broke off or was read before';
    await refuses(response, 400, `body: expected one that can be read to its end, ${got}`);
  }
});

describe('content type', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json; charset=utf8',
    'application/merge-patch+json',
  ])('%s is accepted', async (type) => {
    await accepts(await create('{"name":"a"}', { type }), 'a');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json, text/plain'])(
    '%s is refused',
    async (type) => {
      const text = `header content-type: expected application/json, got ${JSON.stringify(type)}`;
      await refuses(await create('{"name":"a"}', { type }), 415, text);
    },
  );

  test('must be given', async () => {
    const body = utf8.encode('{"name":"a"}');
    const text = 'header content-type: expected application/json, got nothing';
    await refuses(await create(body, { type: null }), 415, text);
  });

  test.each(['utf-16', 'iso-8859-1', 'utf-7', ''])('charset %j is refused', async (charset) => {
    const type = `application/json; charset=${charset}`;
    const response = await create('{"name":"a"}', { type });
    await refuses(response, 415, /^header content-type: expected the charset utf-8, got /);
  });

  test.each(['gzip', 'br', 'deflate, gzip'])('encoding %s is refused', async (encoding) => {
    const response = await create('x', { headers: { 'content-encoding': encoding } });
    await refuses(
      response,
      415,
      `header content-encoding: expected none, got ${JSON.stringify(encoding)}`,
    );
  });
});

describe('a body that is not asked for', () => {
  test('is not read with DELETE', async () => {
    const request = testRequest('DELETE /api/stream/nowhere', { body: '{', type: 'text/plain' });
    await refuses(
      await createMock().fetch(request),
      404,
      'id: expected a stream of this API key, got "nowhere"',
    );
  });

  test('must be JSON all the same with POST', async () => {
    const request = testRequest('POST /_mock/reset', { body: 'now' });
    const text = "body: expected JSON, got a syntax error: Unexpected token 'o'";
    await refuses(await createMock().fetch(request), 400, text);
  });
});
