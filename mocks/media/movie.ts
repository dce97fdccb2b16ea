import { framesPerSecond, sampleRate } from '../../fixtures/media/shape.ts';
import { ascii, box, bytes, fullBox, uint8, uint16, uint32, uint64, zeros } from './boxes.ts';
import { type ByteSource, concatenate } from './bytes.ts';
import type { Loop } from './loop.ts';

/** Units of one second in the movie's and the video track's clocks. */
const movieTimescale = 30_000;
/** Length of a video frame in those units. */
export const frameTicks: number = movieTimescale / framesPerSecond;
/** Track numbers in every file. */
export const trackIds = { video: 1, audio: 2 } as const;

const unityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** `mvhd`; `duration` in units of {@link movieTimescale}. */
export function movieHeader(duration: number): ByteSource {
  return fullBox(
    'mvhd',
    1,
    0,
    bytes(
      uint64(0, 0),
      uint32(movieTimescale),
      uint64(duration),
      uint32(0x10000),
      uint16(0x100),
      zeros(10),
      unityMatrix,
      zeros(24),
      uint32(3),
    ),
  );
}

/** What the boxes of a track say. `movieDuration` is in {@link movieTimescale}, `mediaDuration` in `timescale`. */
interface TrackPlan {
  readonly id: number;
  readonly movieDuration: number;
  readonly timescale: number;
  readonly mediaDuration: number;
  readonly width: number;
  readonly height: number;
  readonly volume: number;
  readonly handler: 'vide' | 'soun';
  readonly handlerName: string;
  readonly mediaHeader: ByteSource;
  readonly sampleEntry: ByteSource;
  readonly sampleTables: readonly ByteSource[];
}

/** `trak` of the video; `duration` in units of {@link movieTimescale}. */
export function videoTrack(
  loop: Loop,
  duration: number,
  sampleTables: readonly ByteSource[],
): ByteSource {
  return track({
    id: trackIds.video,
    movieDuration: duration,
    timescale: movieTimescale,
    mediaDuration: duration,
    width: loop.width,
    height: loop.height,
    volume: 0,
    handler: 'vide',
    handlerName: 'Video',
    mediaHeader: fullBox('vmhd', 0, 1, bytes(zeros(8))),
    sampleEntry: videoSampleEntry(loop),
    sampleTables,
  });
}

/** `trak` of the audio; `samples` is its length in audio samples. */
export function audioTrack(
  loop: Loop,
  samples: number,
  sampleTables: readonly ByteSource[],
): ByteSource {
  return track({
    id: trackIds.audio,
    movieDuration: Math.floor((samples * movieTimescale) / sampleRate),
    timescale: sampleRate,
    mediaDuration: samples,
    width: 0,
    height: 0,
    volume: 0x100,
    handler: 'soun',
    handlerName: 'Sound',
    mediaHeader: fullBox('smhd', 0, 0, bytes(zeros(4))),
    sampleEntry: audioSampleEntry(loop),
    sampleTables,
  });
}

function track(plan: TrackPlan): ByteSource {
  const trackHeader = bytes(
    uint64(0, 0),
    uint32(plan.id, 0),
    uint64(plan.movieDuration),
    zeros(12),
    uint16(plan.volume, 0),
    unityMatrix,
    uint32(plan.width * 0x10000, plan.height * 0x10000),
  );
  const undetermined = 0x55c4;
  const mediaHeader = bytes(
    uint64(0, 0),
    uint32(plan.timescale),
    uint64(plan.mediaDuration),
    uint16(undetermined, 0),
  );
  const handler = bytes(
    zeros(4),
    ascii(plan.handler),
    zeros(12),
    ascii(plan.handlerName),
    zeros(1),
  );
  const sameFile = fullBox('url ', 0, 1);
  return box(
    'trak',
    fullBox('tkhd', 1, 3, trackHeader),
    box(
      'mdia',
      fullBox('mdhd', 1, 0, mediaHeader),
      fullBox('hdlr', 0, 0, handler),
      box(
        'minf',
        plan.mediaHeader,
        box('dinf', fullBox('dref', 0, 0, bytes(uint32(1)), sameFile)),
        box(
          'stbl',
          fullBox('stsd', 0, 0, bytes(uint32(1)), plan.sampleEntry),
          ...plan.sampleTables,
        ),
      ),
    ),
  );
}

function videoSampleEntry({ width, height, video }: Loop): ByteSource {
  const dotsPerInch = 0x480000;
  return box(
    'avc1',
    bytes(
      zeros(6),
      uint16(1),
      zeros(16),
      uint16(width, height),
      uint32(dotsPerInch, dotsPerInch, 0),
      uint16(1),
      zeros(32),
      uint16(0x18, 0xffff),
    ),
    box('avcC', bytes(video.configuration)),
  );
}

function audioSampleEntry({ audio }: Loop): ByteSource {
  return box(
    'mp4a',
    bytes(
      zeros(6),
      uint16(1),
      zeros(8),
      uint16(audio.channels, 16),
      zeros(4),
      uint32(sampleRate * 0x10000),
    ),
    elementaryStreamDescriptor(audio.configuration),
  );
}

/** `esds` (ISO/IEC 14496-14): three nested descriptors, each a tag, a length and its content. */
function elementaryStreamDescriptor(configuration: Uint8Array<ArrayBuffer>): ByteSource {
  const specific = descriptor(0x05, configuration);
  const decoder = descriptor(0x04, uint8(0x40, 0x15), zeros(11), specific);
  const synchronization = descriptor(0x06, uint8(0x02));
  return fullBox(
    'esds',
    0,
    0,
    bytes(descriptor(0x03, uint16(trackIds.audio), uint8(0), decoder, synchronization)),
  );
}

function descriptor(
  tag: number,
  ...content: readonly Uint8Array<ArrayBuffer>[]
): Uint8Array<ArrayBuffer> {
  const body = concatenate(content);
  return concatenate([uint8(tag, body.length), body]);
}
