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

function lengthOf(body: string): RequestParts {
  return { headers: { 'content-length': String(utf8.encode(body).length) } };
}

/** In chunks of 1 kB, without an announced length; `onPull` sees every chunk that is asked for. */
function chunked(body: string, onPull = () => {}): ReadableStream<Uint8Array> {
  const bytes = utf8.encode(body);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      onPull();
      controller.enqueue(bytes.slice(at, at + 1024));
      at += 1024;
      if (at >= bytes.length) controller.close();
    },
  });
}

describe('a body of 100 kB', () => {
  const full = jsonOf(limit);
  const over = jsonOf(limit + 1);
  const tooLarge = 'body: expected at most 102400 bytes, got more';
  const name = 'x'.repeat(limit - 11);

  test('is accepted with its length announced', async () => {
    await accepts(await create(full, lengthOf(full)), name);
  });

  test('is accepted in chunks', async () => {
    await accepts(await create(chunked(full)), name);
  });

  test('and a byte is refused with its length announced', async () => {
    await refuses(await create(over, lengthOf(over)), 413, tooLarge);
  });

  test('and a byte is refused in chunks', async () => {
    await refuses(await create(chunked(over)), 413, tooLarge);
  });

  test('and a byte is refused where a smaller length is announced', async () => {
    const parts = { headers: { 'content-length': '5' } };
    await refuses(await create(over, parts), 413, tooLarge);
  });

  test('is all that is read of a longer one', async () => {
    let pulls = 0;
    const body = chunked(jsonOf(10 * limit), () => pulls++);
    expect((await create(body)).status).toBe(413);
    expect(pulls).toBeLessThan(110);
  });

  test('and a byte is refused of a request whose copy nobody has read', async () => {
    const request = testRequest('POST /api/stream', { body: over });
    request.clone();
    await refuses(await createMock().fetch(request), 413, tooLarge);
  });

  test('counts bytes, not characters', async () => {
    const body = `{"name":"${'é'.repeat(limit / 2)}"}`;
    await refuses(await create(body, lengthOf(body)), 413, tooLarge);
  });
});

describe('a body that cannot be read', () => {
  const text =
    'body: expected one that can be read to its end, got one that broke off or was read before';

  test('is refused when it breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.error(new Error('the client has gone'));
      },
    });
    await refuses(await create(broken), 400, text);
  });

  test('is refused when it was read before', async () => {
    const request = testRequest('POST /api/stream', { body: '{"name":"a"}' });
    await request.text();
    await refuses(await createMock().fetch(request), 400, text);
  });
});

describe('content type', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; charset=utf8',
    'application/merge-patch+json',
    'application/json; profile=x',
  ])('%s is accepted', async (type) => {
    await accepts(await create('{"name":"a"}', { type }), 'a');
  });

  test.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'application/json, text/plain',
    ';',
  ])('%s is refused', async (type) => {
    const text = `header content-type: expected application/json, got ${JSON.stringify(type)}`;
    await refuses(await create('{"name":"a"}', { type }), 415, text);
  });

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
    const text = 'body: expected JSON, got "now" at line 1, column 1';
    await refuses(await createMock().fetch(request), 400, text);
  });
});
