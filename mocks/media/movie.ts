import { framesPerSecond, sampleRate, samplesPerAudioFrame } from '../../fixtures/media/shape.ts';
import { ascii, box, fullBox, uint8, uint16, uint32, uint64, zeros } from './boxes.ts';
import { type ByteSource, concatenate } from './bytes.ts';
import type { Loop } from './loop.ts';

/** Units of one second in the movie's and the video track's clocks. */
const movieTimescale = 30_000;
const unityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** `mvhd` of a movie of so many video frames. */
export function movieHeader(frames: number): ByteSource {
  return fullBox(
    'mvhd',
    1,
    0,
    uint64(0, 0),
    uint32(movieTimescale),
    uint64(frames * trackKinds.video.ticks),
    uint32(0x10000),
    uint16(0x100),
    zeros(10),
    unityMatrix,
    zeros(24),
    uint32(3),
  );
}

/**
 * What the boxes of each track say. Its clock has `timescale` units in a second, and a frame lasts `ticks` of
 * them. A volume of 0x100 is full; sizes are in pixels.
 */
export const trackKinds = {
  video: {
    id: 1,
    timescale: movieTimescale,
    ticks: movieTimescale / framesPerSecond,
    volume: 0,
    handler: 'vide',
    handlerName: 'Video',
    mediaHeader: fullBox('vmhd', 0, 1, zeros(8)),
    size: ({ width, height }: Loop) => ({ width, height }),
    sampleEntry: videoSampleEntry,
  },
  audio: {
    id: 2,
    timescale: sampleRate,
    ticks: samplesPerAudioFrame,
    volume: 0x100,
    handler: 'soun',
    handlerName: 'Sound',
    mediaHeader: fullBox('smhd', 0, 0, zeros(4)),
    size: () => ({ width: 0, height: 0 }),
    sampleEntry: audioSampleEntry,
  },
} as const;

/** Name of a track. */
export type TrackName = keyof typeof trackKinds;

/** `trak` of so many frames. */
export function track(
  name: TrackName,
  loop: Loop,
  frames: number,
  sampleTables: readonly ByteSource[],
): ByteSource {
  const { id, timescale, ticks, volume, handler, handlerName, mediaHeader, ...kind } =
    trackKinds[name];
  const duration = frames * ticks;
  const { width, height } = kind.size(loop);
  const header = fullBox(
    'tkhd',
    1,
    3,
    uint64(0, 0),
    uint32(id, 0),
    uint64(Math.floor((duration * movieTimescale) / timescale)),
    zeros(12),
    uint16(volume, 0),
    unityMatrix,
    uint32(width * 0x10000, height * 0x10000),
  );
  const undetermined = 0x55c4;
  const times = [uint64(0, 0), uint32(timescale), uint64(duration), uint16(undetermined, 0)];
  const sameFile = fullBox('url ', 0, 1);
  const description = fullBox('stsd', 0, 0, uint32(1), kind.sampleEntry(loop));
  return box(
    'trak',
    header,
    box(
      'mdia',
      fullBox('mdhd', 1, 0, ...times),
      fullBox('hdlr', 0, 0, zeros(4), ascii(handler), zeros(12), ascii(`${handlerName}\0`)),
      box(
        'minf',
        mediaHeader,
        box('dinf', fullBox('dref', 0, 0, uint32(1), sameFile)),
        box('stbl', description, ...sampleTables),
      ),
    ),
  );
}

function videoSampleEntry({ width, height, video }: Loop): ByteSource {
  const dotsPerInch = 0x480000;
  return box(
    'avc1',
    zeros(6),
    uint16(1),
    zeros(16),
    uint16(width, height),
    uint32(dotsPerInch, dotsPerInch, 0),
    uint16(1),
    zeros(32),
    uint16(0x18, 0xffff),
    box('avcC', video.configuration),
  );
}

function audioSampleEntry({ audio }: Loop): ByteSource {
  return box(
    'mp4a',
    zeros(6),
    uint16(1),
    zeros(8),
    uint16(audio.channels, 16),
    zeros(4),
    uint32(sampleRate * 0x10000),
    elementaryStreamDescriptor(audio.configuration),
  );
}

/** `esds` (ISO/IEC 14496-14): three nested descriptors, each a tag, a length and its content. */
function elementaryStreamDescriptor(configuration: Uint8Array<ArrayBuffer>): ByteSource {
  const specific = descriptor(0x05, configuration);
  const decoder = descriptor(0x04, uint8(0x40, 0x15), zeros(11), specific);
  const synchronization = descriptor(0x06, uint8(0x02));
  const whole = descriptor(0x03, uint16(trackKinds.audio.id), uint8(0), decoder, synchronization);
  return fullBox('esds', 0, 0, whole);
}

function descriptor(
  tag: number,
  ...content: readonly Uint8Array<ArrayBuffer>[]
): Uint8Array<ArrayBuffer> {
  const body = concatenate(content);
  return concatenate([uint8(tag, body.length), body]);
}
