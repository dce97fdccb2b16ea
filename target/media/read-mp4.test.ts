import { describe, expect, test } from 'vitest';
import { createMock } from '../../mocks/index.ts';
import { readMp4 } from './read-mp4.ts';

const answer = {};
const ftyp = box('ftyp', text('isom'), u32(0));

describe('the duration of an MP4 is read', () => {
  test.each([1, 1_000_000])('from chunks of %i bytes', async (length) => {
    expect(duration(await recorded(8), length)).toBe(8);
  });

  test('from fragments whose samples each have a duration, or share one', () => {
    const each = box('trun', u32(0x100, 2, 30, 60));
    const all = box('trun', u32(0, 3));
    const fragment = (run: Uint8Array) => box('moof', box('traf', box('tfhd', u32(0, 7)), run));
    const movie = box('moov', track(7), box('mvex', box('trex', u32(0, 7, 1, 10, 0, 0))));
    expect(duration(join(ftyp, movie, fragment(each), fragment(all)))).toBe(4);
  });

  test('after a box with a 64-bit size, and before bytes that are not a box', () => {
    const large = join(u32(1), text('mdat'), u32(0, 20), new Uint8Array(4));
    expect(duration(join(ftyp, large, box('moov', short), u32(5)))).toBe(3);
  });
});

test('the size of the picture is read, if the file says it', async () => {
  const read = (bytes: Uint8Array) => {
    const reader = readMp4();
    reader.take(bytes);
    return reader.size();
  };
  expect(read(await recorded(8))).toEqual({ width: 1280, height: 720 });
  expect(read(join(ftyp, box('moov', short)))).toBeUndefined();
});

const short = track(1, box('stts', u32(0, 1, 90, 1)));

test.each([
  ['an empty file', new Uint8Array()],
  ['a file whose first box has no type', join(u32(8, 0), box('moov', short))],
  ['a table longer than its box', join(ftyp, box('moov', track(1, box('stts', u32(0, -1, 1, 1)))))],
])('%s is refused as not an MP4', (_, bytes) => {
  expect(() => duration(bytes)).toThrow('expected an MP4 file, got something else');
});

test('an MP4 that was cut off is recognized from its boxes', async () => {
  const whole = await recorded(8);
  for (const length of [20, 1_000, whole.length - 1]) {
    expect(() => duration(whole.subarray(0, length))).toThrow(
      /expected a whole file of at least \d+ bytes, got \d+$/,
    );
  }
});

const noSizes = box('stsz', u32(0, 0, 0));
const durations = box('stts', u32(0, 1, 90, 1));
const extended = box('mvex', box('trex', u32(0, 1, 1, 1, 0, 0)));

test.each([
  ['is none', [], 'expected tracks with a duration, got none'],
  ['has no samples', [box('moov', track(1, box('stts', u32(0, 0))))], 'expected tracks with a dur'],
  ['has a head of zeros', [box('moov', box('mvhd', u32(0, 0)), short)], 'only zeros in mvhd'],
  ['has sizes of zeros', [box('moov', track(1, durations, noSizes))], 'only zeros in stsz'],
])('an MP4 whose movie %s is refused', (_, boxes, message) => {
  expect(() => duration(join(ftyp, ...boxes))).toThrow(message);
});

test.each([
  ['of fragments', [track(1, durations, noSizes), extended]],
  ['of a track without samples', [short, track(2, noSizes)]],
])('a table of zeros %s does no harm', (_, tracks) => {
  expect(duration(join(ftyp, box('moov', ...tracks)))).toBe(3);
});

test('a few bytes that claim billions of samples cost neither time nor memory', () => {
  const billions = u32(0, 1, 0xffffffff, 1);
  const movie = box('moov', track(1, box('stts', billions), box('ctts', billions)));
  expect(duration(join(ftyp, movie))).toBeCloseTo(0xffffffff / 30);
});

test('a table of more than 16 MiB is not read', () => {
  const head = join(ftyp, u32(17 * 1024 * 1024), text('stts'));
  expect(() => duration(head)).toThrow('expected tables of at most 16777216 bytes');
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

/** A track of 30 units a second. */
function track(id: number, ...tables: readonly Uint8Array[]): Uint8Array {
  const head = [box('tkhd', u32(0, 0, 0, id)), box('mdhd', u32(0, 0, 0, 30))];
  return box('trak', ...head, box('stbl', ...tables));
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
