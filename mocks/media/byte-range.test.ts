import { expect, test } from 'vitest';
import { openMediaWorld, record } from '../http/media.test-support.ts';

const media = await openMediaWorld();
const { mp4Url: url } = await record(media.world, 3.2);
const whole = await bytesOf(await media.get(url));

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

const far = '99999999999999999999999999';

test.each([
  ['bytes=0-0', 0, 1],
  ['bytes=100-1099', 100, 1100],
  ['bytes=100-', 100, Number.POSITIVE_INFINITY],
  [`bytes=100-${far}`, 100, Number.POSITIVE_INFINITY],
  ['bytes=-500', -500, Number.POSITIVE_INFINITY],
])('%s gets that part', async (range, start, end) => {
  const answer = await media.get(url, { range });
  const part = whole.subarray(start, end);
  const first = part.byteOffset - whole.byteOffset;
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toBe(
    `bytes ${first}-${first + part.length - 1}/${whole.length}`,
  );
  expect(answer.headers.get('content-length')).toBe(String(part.length));
  expect(part.equals(await bytesOf(answer))).toBe(true);
});

test.each(['bytes=-0', `bytes=${whole.length}-`, `bytes=${far}-${far}`])(
  '%s lies outside the file, whose length the refusal tells',
  async (range) => {
    const answer = await media.get(url, { range });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${whole.length}`);
    expect(await answer.json()).toEqual({
      errors: [`header range: expected a part of the ${whole.length} bytes, got "${range}"`],
    });
  },
);

test.each(['bytes=-', 'bytes=5-2', 'bytes=a-b', 'bytes=0-1,5-6', 'seconds=0-1'])(
  'the range %s is not understood, so the whole file comes',
  async (range) => {
    const answer = await media.get(url, { range });
    expect(answer.status).toBe(200);
    expect(whole.equals(await bytesOf(answer))).toBe(true);
  },
);

test('HEAD ignores a range', async () => {
  const headers = { range: 'bytes=0-9' };
  const answer = await media.mock.fetch(new Request(url, { method: 'HEAD', headers }));
  expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
});

test('a large file, or a large part of it, is streamed with its length', async () => {
  const { mp4Url } = await record(media.world, 100);
  const answer = await media.get(mp4Url);
  const large = await bytesOf(answer);
  expect(large.length).toBeGreaterThan(1_400_000);
  expect(answer.headers.get('content-length')).toBe(String(large.length));
  const part = await media.get(mp4Url, { range: 'bytes=1000-1300000' });
  expect(large.subarray(1_000, 1_300_001).equals(await bytesOf(part))).toBe(true);
});
