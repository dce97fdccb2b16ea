import { expect, test } from 'vitest';
import { lastMoment } from '../../interface/schemas.ts';
import { jsonResponse, type PlainResponse } from '../messages/response.ts';
import { createClock } from '../state/clock.ts';
import { breakOff, slowDown, spoilJson, withoutEnd } from './spoiled-bodies.ts';

const list = jsonResponse(200, { name: 'Harbour camera', list: [1, 2, 3] });
const text = String(list.body);

/** A body that comes in pieces of 4 bytes, and what has become of it. */
function streamed(length: number): { readonly answer: PlainResponse; readonly ended: string[] } {
  const ended: string[] = [];
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(4).fill(sent));
        sent += 4;
        if (sent >= length) controller.close();
      },
      cancel() {
        ended.push('cancelled');
      },
    },
    { highWaterMark: 0 },
  );
  return {
    answer: { status: 200, headers: { 'content-length': `${length}` }, body },
    ended,
  };
}

function readerOf({ body }: PlainResponse): ReadableStreamDefaultReader<Uint8Array> {
  if (!(body instanceof ReadableStream)) throw new TypeError('expected a stream');
  return body.getReader();
}

test('a text breaks off after its first half, though its length is told', async () => {
  const broken = breakOff(list);
  expect(broken.headers['content-length']).toBe(String(text.length));
  const reader = readerOf(broken);
  const first = await reader.read();
  expect(new TextDecoder().decode(first.value)).toBe(text.slice(0, Math.ceil(text.length / 2)));
  await expect(reader.read()).rejects.toThrow('The body breaks off, as a fault has it.');
});

test('a stream breaks off after its first half, and its source is let go of', async () => {
  const { answer, ended } = streamed(20);
  const reader = readerOf(breakOff(answer));
  const lengths = [await reader.read(), await reader.read(), await reader.read()];
  expect(lengths.map(({ value }) => value?.length)).toEqual([4, 4, 2]);
  await expect(reader.read()).rejects.toThrow(TypeError);
  expect(ended).toEqual(['cancelled']);
});

test.each([
  ['breaks off', breakOff],
  ['trickles', (whole: PlainResponse) => slowDown(whole, 1, createClock({ now: () => 0 }))],
] as const)('who goes away lets go of a body that %s', async (_, spoil) => {
  const { answer, ended } = streamed(20);
  await readerOf(spoil(answer)).cancel();
  expect(ended).toEqual(['cancelled']);
});

test('a body that trickles comes as the clock allows', async () => {
  const clock = createClock({ now: () => 0 });
  const slow = slowDown(list, 10, clock);
  expect(slow.headers['content-length']).toBe(String(text.length));
  const reader = readerOf(slow);
  let came = '';
  for (const [advance, bytes] of [
    [100, 1],
    [1000, 10],
    [99, 0],
    [1, 1],
  ] as const) {
    const part = bytes > 0 ? reader.read() : undefined;
    clock.set(clock.now() + advance);
    came += new TextDecoder().decode((await part)?.value);
  }
  expect(came).toBe(text.slice(0, 12));
  clock.set(clock.now() + 3_600_000);
  came += new TextDecoder().decode((await reader.read()).value);
  expect(came).toBe(text);
  expect((await reader.read()).done).toBe(true);
});

test('a body goes on trickling when the clock is put back', async () => {
  const clock = createClock({ now: () => 1e12 });
  const reader = readerOf(slowDown(list, 1, clock));
  let came = 0;
  const part = reader.read().then(({ value }) => {
    came = value?.length ?? 0;
  });
  clock.set(5e11);
  const advance = (): number => {
    clock.set(clock.now() + 1000);
    return came;
  };
  await expect.poll(advance).toBeGreaterThan(0);
  await part;
});

test('where the clock has come to its end, the rest of a body comes at once', async () => {
  const clock = createClock({ now: () => 0 });
  clock.set(lastMoment - 50);
  const reader = readerOf(slowDown(list, 10, clock));
  const part = reader.read();
  clock.set(clock.now() + 3_600_000);
  expect(new TextDecoder().decode((await part).value)).toBe(text);
  expect((await reader.read()).done).toBe(true);
});

test.each(['[]', '{}', '[1,2]', '{"a":"b"}', 'null', '"a"', '{"a":{"b":[1,2,{"c":3}]}}'])(
  'what was %s is no JSON any more',
  (json) => {
    const spoiled = spoilJson({ status: 200, headers: {}, body: [json] });
    expect(() => JSON.parse((spoiled.body as readonly string[]).join(''))).toThrow(SyntaxError);
  },
);

test('a playlist loses its end, and the tag of the bytes that it had', async () => {
  const playlist = '#EXTM3U\n#EXTINF:3.2,\n00000.m4s\n#EXT-X-ENDLIST\n';
  const headers = { etag: '"1"', 'content-type': 'application/vnd.apple.mpegurl' };
  const endless = await withoutEnd({ status: 200, headers, body: [playlist] });
  const shorter = '#EXTM3U\n#EXTINF:3.2,\n00000.m4s\n';
  expect(new TextDecoder().decode(endless.body as Uint8Array)).toBe(shorter);
  expect(endless.headers).toEqual({
    'content-type': 'application/vnd.apple.mpegurl',
    'content-length': String(shorter.length),
  });
});
