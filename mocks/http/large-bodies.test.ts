import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
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
  const answer = await createMock().fetch(request);
  expect(answer.status).toBe(401);
  expect((await readErrors(answer))[0]).toContain('header authorization: expected');
  expect(asked.times).toBe(0);
});

test('imports that may be large are read one at a time, those known to be small at once', async () => {
  const mock = createMock();
  const text = await exported(mock);
  const [first, second] = [waitingBody(text), waitingBody(text)];
  const put = (body: ReadableStream<Uint8Array> | string, headers = {}) =>
    mock.fetch(testRequest('PUT /_mock/state', { body, headers }));
  const [one, two] = [put(first.stream), put(second.stream)];
  await expect.poll(() => first.asked.times).toBe(1);
  expect((await put(text, { 'content-length': String(text.length) })).status).toBe(204);
  expect(second.asked.times).toBe(0);
  first.come();
  expect((await one).status).toBe(204);
  await expect.poll(() => second.asked.times).toBe(1);
  second.come();
  expect((await two).status).toBe(204);
});

test('an import that fails lets the next one in', async () => {
  const mock = createMock();
  const put = (body: string) => mock.fetch(testRequest('PUT /_mock/state', { body }));
  expect((await put('{')).status).toBe(400);
  expect((await put(await exported(mock))).status).toBe(204);
});
