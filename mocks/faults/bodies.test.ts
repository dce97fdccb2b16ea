import { expect, test } from 'vitest';
import { jsonResponse, type PlainResponse } from '../messages/response.ts';
import { createClock, nextTurn } from '../state/clock.ts';
import { breakOff, slowDown, spoilJson } from './bodies.ts';

const list = jsonResponse(200, { name: 'Harbour camera', list: [1, 2, 3] });
const text = String(list.body);

/** A response of 20 bytes in pieces of 4. `cancelled` says whether its source was released. */
function streamedResponse(): { readonly response: PlainResponse; cancelled: () => boolean } {
  let cancelled = false;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(4).fill(sent));
        sent += 4;
        if (sent >= 20) controller.close();
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const response = { status: 200, headers: { 'content-length': '20' }, body };
  return { response, cancelled: () => cancelled };
}

function readerOf({ body }: PlainResponse): ReadableStreamDefaultReader<Uint8Array> {
  if (!(body instanceof ReadableStream)) throw new TypeError('expected a stream');
  return body.getReader();
}

test('truncate sends the first half of a stream, and cancels its source', async () => {
  const { response, cancelled } = streamedResponse();
  const reader = readerOf(breakOff(response));
  const lengths = [await reader.read(), await reader.read(), await reader.read()];
  expect(lengths.map(({ value }) => value?.length)).toEqual([4, 4, 2]);
  await expect(reader.read()).rejects.toThrow(TypeError);
  expect(cancelled()).toBe(true);
});

const drip = (whole: PlainResponse) => slowDown(whole, 1, createClock({ now: () => 0 }));

test.each([
  ['truncate', breakOff],
  ['drip', drip],
])('a client that goes away during %s cancels the source of the body', async (_, spoil) => {
  const { response, cancelled } = streamedResponse();
  await readerOf(spoil(response)).cancel();
  expect(cancelled()).toBe(true);
});

test('drip sends as many bytes as the clock allows', async () => {
  const clock = createClock({ now: () => 0 });
  const slow = slowDown(list, 40, clock);
  expect(slow.headers['content-length']).toBe(String(text.length));
  const reader = readerOf(slow);
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  const first = read();
  clock.set(clock.now() + 100);
  expect(await first).toBe(text.slice(0, 4));
  let second: string | undefined;
  const next = read().then((piece) => {
    second = piece;
  });
  clock.set(clock.now() + 99);
  await nextTurn();
  expect(second).toBeUndefined();
  clock.set(clock.now() + 1);
  await next;
  expect(second).toBe(text.slice(4, 8));
  clock.set(clock.now() + 3_600_000);
  let rest = '';
  for (let piece = await read(); piece !== ''; piece = await read()) rest += piece;
  expect(rest).toBe(text.slice(8));
});

test.each(['[]', '{}', '[1,2]', '{"a":"b"}', 'null', '"a"', '{"a":{"b":[1,2,{"c":3}]}}'])(
  'malformed makes %s something that is not JSON',
  (json) => {
    const spoiled = spoilJson({ status: 200, headers: {}, body: [json] });
    expect(() => JSON.parse((spoiled.body as readonly string[]).join(''))).toThrow(SyntaxError);
  },
);
