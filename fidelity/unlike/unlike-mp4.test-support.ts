/** A box of an MP4 file: its length, its type and what it holds. */
function box(type: string, ...content: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** 32-bit numbers one after the other. */
function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

const unityMatrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** An MP4 with one video track of one empty sample, which lasts as long as the session. */
export function mp4File(milliseconds: number): Buffer {
  const sampleEntry = box(
    'avc1',
    Buffer.concat([Buffer.alloc(7), Buffer.from([1]), Buffer.alloc(16)]),
    Buffer.from([0, 16, 0, 16]),
    words(0x480000, 0x480000, 0),
    Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(32), Buffer.from([0, 24, 255, 255])]),
  );
  const table = box(
    'stbl',
    box('stsd', words(0, 1), sampleEntry),
    box('stts', words(0, 1, 1, milliseconds)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, 1, 1)),
    box('stco', words(0, 1, 28)),
  );
  const dataReference = box('dinf', box('dref', words(0, 1), box('url ', words(1))));
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 1000, milliseconds, 0x55c40000)),
    box('hdlr', words(0, 0), 'vide', words(0, 0, 0), '\0'),
    box('minf', box('vmhd', words(1, 0, 0)), dataReference, table),
  );
  const trackHeader = words(3, 0, 0, 1, 0, milliseconds, 0, 0, 0, 0);
  const track = box(
    'trak',
    box('tkhd', trackHeader, unityMatrix, words(0x100000, 0x100000)),
    media,
  );
  const movieHeader = words(0, 0, 0, 1000, milliseconds, 0x10000, 0x1000000, 0, 0);
  const end = words(0, 0, 0, 0, 0, 0, 2);
  return Buffer.concat([
    box('ftyp', 'isom', words(0x200), 'isom'),
    box('mdat', '\0'),
    box('moov', box('mvhd', movieHeader, unityMatrix, end), track),
  ]);
}
