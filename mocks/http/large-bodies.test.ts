import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
import { createLargeBodies, largestBody } from './bodies/large-bodies.ts';
import { readErrors, testRequest } from './request.test-support.ts';

/** A body that waits until it is told to come, and whether anybody has asked for it. */
function waitingBody(text: string) {
  const asked = { times: 0 };
  const told = new AbortController();
  const { signal } = told;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.times += 1;
        if (!signal.aborted) await once(signal, 'abort');
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { asked, stream, come: () => told.abort() };
}

async function exported(mock: Mock): Promise<string> {
  return JSON.stringify((await mock.world()).exportState());
}

test('the body of a control operation is not read where the key is missing', async () => {
  const { asked, stream } = waitingBody('{}');
  const request = testRequest('PUT /_mock/state', { authorization: null, body: stream });
  const response = await createMock().fetch(request);
  expect(response.status).toBe(401);
  expect((await readErrors(response))[0]).toContain('header authorization: expected');
  expect(asked.times).toBe(0);
});

test('an import that is sent slowly holds nobody up, whatever their key', async () => {
  const mock = createMock();
  const text = await exported(mock);
  const slow = waitingBody(text);
  const put = (body: ReadableStream<Uint8Array> | string, authorization: string) =>
    mock.fetch(testRequest('PUT /_mock/state', { body, authorization }));
  const last = put(slow.stream, 'Bearer test-slow');
  await expect.poll(() => slow.asked.times).toBe(1);
  expect((await put(text, 'Bearer test-other')).status).toBe(204);
  expect((await put(text, 'Bearer test-slow')).status).toBe(204);
  slow.come();
  expect((await last).status).toBe(204);
});

test('an import that fails lets the next one in', async () => {
  const mock = createMock();
  const put = (body: string) => mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect((await put('{')).status).toBe(400);
  expect((await put(await exported(mock))).status).toBe(204);
});

test('bodies that are too much together are refused until some of them have ended', async () => {
  const { read } = createLargeBodies({ bytes: 1_000, parts: 1_000 });
  const told = new AbortController();
  const put = (length: number): Promise<unknown> => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify('x'.repeat(length - 2))));
        if (!told.signal.aborted) await once(told.signal, 'abort');
        controller.close();
      },
    });
    return read(testRequest('PUT /_mock/state', { body }), async (value) => value);
  };
  const first = [put(1_000), put(400), put(600)];
  await expect(put(2)).rejects.toThrow(
    'body: expected at most 2000 bytes of all large bodies together, got more; send it again when others have been read',
  );
  told.abort();
  expect(await Promise.all(first)).toEqual([998, 398, 598].map((length) => 'x'.repeat(length)));
  await expect(put(1_000)).resolves.toBe('x'.repeat(998));
});

test('so are those that have too many keys and values together', async () => {
  const { read } = createLargeBodies({ bytes: 1_000, parts: 10 });
  const told = new AbortController();
  const put = (body: string): Promise<unknown> =>
    read(testRequest('PUT /_mock/state', { body }), async () => {
      if (!told.signal.aborted) await once(told.signal, 'abort');
    });
  const first = [put('[1,2,3,4,5,6,7,8]'), put('[1,2,3,4,5,6,7,8]')];
  await expect(put('[1,2,3,4,5,6]')).rejects.toThrow(
    'body: expected at most 20 keys and values of all large bodies together, got more; send it again when others have been read',
  );
  told.abort();
  await Promise.all(first);
  await expect(put('[1,2,3,4,5,6]')).resolves.toBeUndefined();
});

test('the largest body follows from how many records a mock holds', () => {
  const usual = { bytes: 268_435_456, parts: 16_000_000 };
  expect(largestBody(10)).toEqual(usual);
  expect(largestBody(400_000)).toEqual(usual);
  expect(largestBody(4_000_000)).toEqual({ bytes: 2_684_354_560, parts: 160_000_000 });
});

describe('an import of megabytes that is no state', () => {
  const world = '"version":1,"now":0,"userId":"u","random":[1,2,3,4],"sessions":[]';
  const many = 2_000_000;
  const keys = Array.from({ length: 10_001 }, (_, index) => `"k${index}":0`).join();
  test.each([
    {
      error: 'too many values',
      body: `[${'[],'.repeat(4 * many)}[]]`,
      status: 413,
      text: /^body: .* 16000000 keys and values/,
    },
    {
      error: 'too many keys',
      body: `{"journal":[{${keys}}]}`,
      status: 413,
      text: /^body: expected at most 10000 keys in an/,
    },
    {
      error: 'no object',
      body: `[${'[],'.repeat(many)}[]]`,
      status: 422,
      text: /^body: expected .*, got an array of 2000001$/,
    },
    {
      error: 'no records',
      body: `{${world},"streams":[${'[],'.repeat(many)}[]]}`,
      status: 422,
      text: /^streams\[0\]: expect/,
    },
    {
      error: 'no profiles',
      body: `{${world},"streams":[{"profiles":[${'1,'.repeat(many)}1]}]}`,
      status: 422,
      text: /^streams\[0\]/,
    },
    {
      error: 'no faults',
      body: `{"faults":{"reports":[${'1,'.repeat(many)}1]}}`,
      status: 422,
      text: /^version: expected 1, as in a state from GET \/_mock\/state, got nothing$/,
    },
    {
      error: 'no end',
      body: `[${'[],'.repeat(many)}`,
      status: 400,
      text: /^body: expected JSON, got its end at line 1, column/,
    },
  ])('is refused with its first error: $error', async ({ body, status, text }) => {
    const response = await createMock().fetch(testRequest('PUT /_mock/state', { body }));
    expect(response.status).toBe(status);
    expect(await readErrors(response)).toEqual([expect.stringMatching(text)]);
  });
});
