import {
  framesPerSecond,
  loopFrames,
  sampleRate,
  samplesPerAudioFrame,
} from '../../fixtures/media/shape.ts';
import { ascii, box, fullBox, uint16, uint32, uint64, version1, zeros } from './boxes.ts';
import {
  type ByteSource,
  concatenate,
  createSourceCache,
  joinedSource,
  repeatedSource,
  tableSource,
} from './bytes.ts';
import { audioFramesBeside } from './frames.ts';
import { type Loop, loopBeginning, prefixBytes } from './loop.ts';

const rememberMp4 = createSourceCache(100);

/**
 * A recording of `frames` video frames as one MP4. Its header comes first, so a player can seek at once. Its tables
 * follow from the loop, so any range can be computed without the rest.
 */
export function createMp4(loop: Loop, frames: number): ByteSource {
  return rememberMp4(`${loop.width} ${frames}`, () => makeMp4(loop, frames));
}

function makeMp4(loop: Loop, frames: number): ByteSource {
  const payload = createPayload(loop, frames);
  const fileType = box('ftyp', ascii('isom'), uint32(0x200), ascii('isomiso2avc1mp41'));
  // The header's length does not depend on where the media begins, so it is made twice.
  const headLength = fileType.length + movie(loop, frames, 0).length + mediaHeaderLength;
  const mediaSize = uint64(mediaHeaderLength + payload.length);
  const head = [fileType, movie(loop, frames, headLength)];
  return joinedSource([...head, uint32(1), ascii('mdat'), mediaSize, payload]);
}

const mediaHeaderLength = 16;

/** The video and then the sound of the loop, again and again. The last time, it is cut to the remaining frames. */
function createPayload(loop: Loop, frames: number): ByteSource {
  const tail = frames % loopFrames;
  const turns = (frames - tail) / loopFrames;
  const turn = concatenate([loop.video.data, loop.audio.data]);
  const { video, audio } = loopBeginning(loop, tail);
  return joinedSource([repeatedSource(turn, turns * turn.length), video, audio]);
}

function movie(loop: Loop, frames: number, mediaStart: number): ByteSource {
  const audioFrames = audioFramesBeside(frames);
  const chunks = Math.ceil(frames / loopFrames);
  const loopBytes = loop.video.data.length + loop.audio.data.length;
  const chunkStart = (chunk: number): number => mediaStart + chunk * loopBytes;
  const soundStart = (chunk: number): number =>
    prefixBytes(loop.video, Math.min(loopFrames, frames - chunk * loopFrames));
  const keyFrames = tableSource(chunks, (chunk) => uint32(chunk * loopFrames + 1));
  return box(
    'moov',
    movieHeader(frames),
    track('video', loop, frames, [
      ...sampleTables('video', loop, frames),
      chunkOffsets(chunks, chunkStart),
      fullBox('stss', 0, uint32(chunks), keyFrames),
    ]),
    track('audio', loop, audioFrames, [
      ...sampleTables('audio', loop, audioFrames),
      chunkOffsets(chunks, (chunk) => chunkStart(chunk) + soundStart(chunk)),
    ]),
  );
}

/** `stts`, `stsc` and `stsz` of a track with one chunk for each repetition of the loop. */
function sampleTables(name: TrackName, loop: Loop, frames: number): ByteSource[] {
  const { frameSizes } = loop[name];
  const perChunk = frameSizes.length;
  const fullChunks = Math.floor(frames / perChunk);
  const tail = frames % perChunk;
  const runs = [
    ...(fullChunks > 0 ? [uint32(1, perChunk, 1)] : []),
    ...(tail > 0 ? [uint32(fullChunks + 1, tail, 1)] : []),
  ];
  const sizes = uint32(...frameSizes);
  return [
    fullBox('stts', 0, uint32(1, frames, trackKinds[name].ticks)),
    fullBox('stsc', 0, uint32(runs.length), ...runs),
    fullBox('stsz', 0, uint32(0, frames), repeatedSource(sizes, frames * 4)),
  ];
}

function chunkOffsets(chunks: number, offset: (chunk: number) => number): ByteSource {
  const offsets = tableSource(chunks, (chunk) => uint64(offset(chunk)));
  return fullBox('co64', 0, uint32(chunks), offsets);
}

/** Units per second in the clocks of the movie and the video track. */
const movieTimescale = 30_000;
const unityMatrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** `mvhd` of a movie of `frames` video frames. */
export function movieHeader(frames: number): ByteSource {
  const duration = uint64(frames * trackKinds.video.ticks);
  const times = [uint64(0, 0), uint32(movieTimescale), duration];
  const rateAndVolume = [uint32(0x10000), uint16(0x100), zeros(10)];
  const nextTrack = uint32(3);
  return fullBox('mvhd', version1, ...times, ...rateAndVolume, unityMatrix, zeros(24), nextTrack);
}

/**
 * What the boxes of each track say. A track's clock has `timescale` units per second, and a frame lasts `ticks` of
 * them. 0x100 is full volume.
 */
export const trackKinds = {
  video: {
    id: 1,
    timescale: movieTimescale,
    ticks: movieTimescale / framesPerSecond,
    volume: 0,
    handler: 'vide',
    handlerName: 'Video',
    mediaHeader: fullBox('vmhd', 1, zeros(8)),
  },
  audio: {
    id: 2,
    timescale: sampleRate,
    ticks: samplesPerAudioFrame,
    volume: 0x100,
    handler: 'soun',
    handlerName: 'Sound',
    mediaHeader: fullBox('smhd', 0, zeros(4)),
  },
} as const;

export type TrackName = keyof typeof trackKinds;

/** `trak` of a track of `frames` frames. */
export function track(
  name: TrackName,
  loop: Loop,
  frames: number,
  sampleTables: readonly ByteSource[],
): ByteSource {
  const { id, timescale, ticks, volume, handler, handlerName, mediaHeader } = trackKinds[name];
  const duration = frames * ticks;
  const { width, height } = name === 'video' ? loop : { width: 0, height: 0 };
  const movieDuration = uint64(Math.floor((duration * movieTimescale) / timescale));
  const place = [uint64(0, 0), uint32(id, 0), movieDuration, zeros(12), uint16(volume, 0)];
  const size = uint32(width * 0x10000, height * 0x10000);
  const undetermined = 0x55c4;
  const times = [uint64(0, 0), uint32(timescale), uint64(duration), uint16(undetermined, 0)];
  const sameFile = fullBox('url ', 1);
  const description = fullBox('stsd', 0, uint32(1), loop[name].sampleEntry);
  return box(
    'trak',
    fullBox('tkhd', version1 + 3, ...place, unityMatrix, size),
    box(
      'mdia',
      fullBox('mdhd', version1, ...times),
      fullBox('hdlr', 0, zeros(4), ascii(handler), zeros(12), ascii(`${handlerName}\0`)),
      box(
        'minf',
        mediaHeader,
        box('dinf', fullBox('dref', 0, uint32(1), sameFile)),
        box('stbl', description, ...sampleTables),
      ),
    ),
  );
}
