import { describe, expect, test } from 'vitest';
import { createMock } from '../../mocks/index.ts';
import { readMp4 } from './mp4.ts';

const answer = {};
const ftyp = box('ftyp', text('isom'), u32(0));
const threeSeconds = box('mvhd', u32(0, 0, 0, 30, 90));
const durations = box('stts', u32(0, 1, 90, 1));
const noSizes = box('stsz', u32(0, 0, 0));

describe('the duration of an MP4 is read', () => {
  test.each([1, 1_000_000])('from chunks of %i bytes', async (length) => {
    expect(duration(await recorded(8), length)).toBe(8);
  });

  test('behind a box of 64-bit size, and before bytes that are not a box', () => {
    const large = join(u32(1), text('mdat'), u32(0, 20), new Uint8Array(4));
    expect(duration(join(ftyp, large, box('moov', threeSeconds), u32(5)))).toBe(3);
  });

  test.each([
    ['of version 1', [box('mvhd', u32(1 << 24, 0, 0, 0, 0, 30, 0, 90))], 3],
    ['of fragments, which states none', [box('mvhd', u32(0, 0, 0, 30, 0)), box('mvex')], 0],
    ['of a track without samples', [threeSeconds, track(noSizes)], 3],
  ])('from a header %s', (_, boxes, seconds) => {
    expect(duration(join(ftyp, box('moov', ...boxes)))).toBe(seconds);
  });
});

test.each([
  ['an empty file', [], 'got something else'],
  ['a file whose first box has no type', [u32(8, 0), box('moov', threeSeconds)], 'something else'],
  ['a header that is too short', [ftyp, box('moov', box('mvhd', u32(0)))], 'boxes are too short'],
  ['a file without a header', [ftyp], 'expected a header (mvhd), got none'],
  ['a header of zeros', [ftyp, box('moov', box('mvhd', u32(0, 0, 0, 0, 0)))], 'with a duration'],
  ['a track without sizes', [ftyp, box('moov', threeSeconds, track(durations, noSizes))], 'sizes'],
  ['a header of more than 16 MB', [ftyp, u32(17 << 20), text('moov')], 'at most 16777216 bytes'],
])('%s is refused', (_, parts, message) => {
  expect(() => duration(join(...parts))).toThrow(message);
});

test('an MP4 that was cut off is recognized by its boxes', async () => {
  const whole = await recorded(8);
  for (const length of [20, 1_000, whole.length - 1]) {
    expect(() => duration(whole.subarray(0, length))).toThrow(
      /expected a whole file of at least \d+ bytes, got \d+$/,
    );
  }
});

function duration(bytes: Uint8Array, length: number = bytes.length || 1): number {
  const reader = readMp4();
  for (let at = 0; at < bytes.length; at += length) reader.take(bytes.subarray(at, at + length));
  return reader.duration(answer);
}

async function recorded(seconds: number): Promise<Uint8Array> {
  const mock = createMock({ recordingDelay: 0 });
  const world = await mock.world();
  const stream = await world.createStream({ name: 'a', record: true });
  await world.start(stream.id, { duration: seconds });
  const response = await mock.fetch(new Request(String(world.sessions()[0]?.mp4URL)));
  return new Uint8Array(await response.arrayBuffer());
}

/** An MP4 is made of boxes: a size, a type, and what is in it. */
function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = join(...parts);
  return join(u32(8 + content.length), text(type), content);
}

function track(...tables: readonly Uint8Array[]): Uint8Array {
  return box('trak', box('mdia', box('minf', box('stbl', ...tables))));
}

function u32(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value);
  return new Uint8Array(view.buffer);
}

function text(characters: string): Uint8Array {
  return new TextEncoder().encode(characters);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
