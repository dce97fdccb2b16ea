import { framesPerSecond, sampleRate, samplesPerAudioFrame } from '../../fixtures/media/shape.ts';
import { ascii, box, fullBox, uint16, uint32, uint64, zeros } from './boxes.ts';
import type { ByteSource } from './bytes.ts';
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
 * them. A volume of 0x100 is full.
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
  },
  audio: {
    id: 2,
    timescale: sampleRate,
    ticks: samplesPerAudioFrame,
    volume: 0x100,
    handler: 'soun',
    handlerName: 'Sound',
    mediaHeader: fullBox('smhd', 0, 0, zeros(4)),
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
  const { id, timescale, ticks, volume, handler, handlerName, mediaHeader } = trackKinds[name];
  const duration = frames * ticks;
  const { width, height } = name === 'video' ? loop : { width: 0, height: 0 };
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
  const description = fullBox('stsd', 0, 0, uint32(1), loop[name].sampleEntry);
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
