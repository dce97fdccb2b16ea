import { loopFrames, samplesPerAudioFrame } from '../../fixtures/media/shape.ts';
import { ascii, box, bytes, fullBox, uint32, uint64 } from './boxes.ts';
import {
  type ByteSource,
  concatenate,
  createSourceCache,
  joined,
  layOut,
  literal,
  repeated,
  table,
} from './bytes.ts';
import { type Loop, type LoopTrack, loopBeginning, prefixBytes } from './loop.ts';
import { audioTrack, frameTicks, movieHeader, videoTrack } from './movie.ts';
import { audioFramesBeside } from './timeline.ts';

const remember = createSourceCache(100);

/**
 * A recording of `frames` video frames as one MP4. Its header comes first, so that a player can seek
 * at once. Its tables follow from the loop, so that any range of it is computed without the rest.
 */
export function createMp4(loop: Loop, frames: number): ByteSource {
  return remember(`${loop.width} ${frames}`, () => makeMp4(loop, frames));
}

function makeMp4(loop: Loop, frames: number): ByteSource {
  const payload = createPayload(loop, frames);
  const fileType = box('ftyp', bytes(ascii('isom'), uint32(0x200), ascii('isomiso2avc1mp41')));
  // The header's length does not depend on where the media begins, so it is made twice.
  const headLength = fileType.length + movie(loop, frames, 0).length + mediaHeaderLength;
  const mediaHeader = bytes(uint32(1), ascii('mdat'), uint64(mediaHeaderLength + payload.length));
  return joined([fileType, movie(loop, frames, headLength), mediaHeader, payload]);
}

const mediaHeaderLength = 16;

/** The video then the sound of the loop, repeated; the last turn is as long as the rest. */
function createPayload(loop: Loop, frames: number): ByteSource {
  const tail = frames % loopFrames;
  const whole = (frames - tail) / loopFrames;
  const beginning = loopBeginning(loop, tail);
  return joined([
    repeated(layOutLoop(loop), whole * loopBytes(loop), loopBytes(loop)),
    literal(beginning.video),
    literal(beginning.audio),
  ]);
}

/** Bytes that players usually request at once. */
const usualRange = 1024 * 1024;
const laidOut = new WeakMap<Loop, Uint8Array<ArrayBuffer>>();

/** Repeats the loop so often that any usual range of it lies in one piece, and needs no copy. */
function layOutLoop(loop: Loop): Uint8Array<ArrayBuffer> {
  const known = laidOut.get(loop);
  if (known !== undefined) return known;
  const turn = concatenate([loop.video.data, loop.audio.data]);
  const pattern = layOut(turn, usualRange + turn.length);
  laidOut.set(loop, pattern);
  return pattern;
}

function loopBytes(loop: Loop): number {
  return loop.video.data.length + loop.audio.data.length;
}

function movie(loop: Loop, frames: number, mediaStart: number): ByteSource {
  const audioFrames = audioFramesBeside(frames);
  const chunks = Math.ceil(frames / loopFrames);
  const chunkStart = (chunk: number): number => mediaStart + chunk * loopBytes(loop);
  const soundStart = (chunk: number): number =>
    prefixBytes(loop.video, Math.min(loopFrames, frames - chunk * loopFrames));
  const keyFrames = fullBox(
    'stss',
    0,
    0,
    bytes(uint32(chunks)),
    table(chunks, (chunk) => uint32(chunk * loopFrames + 1)),
  );
  return box(
    'moov',
    movieHeader(frames * frameTicks),
    videoTrack(loop, frames * frameTicks, [
      ...sampleTables(loop.video, frames, frameTicks),
      chunkOffsets(chunks, chunkStart),
      keyFrames,
    ]),
    audioTrack(loop, audioFrames * samplesPerAudioFrame, [
      ...sampleTables(loop.audio, audioFrames, samplesPerAudioFrame),
      chunkOffsets(chunks, (chunk) => chunkStart(chunk) + soundStart(chunk)),
    ]),
  );
}

/** `stts`, `stsc` and `stsz` of a track with one chunk for each turn of the loop. `ticks` is the length of a frame. */
function sampleTables(track: LoopTrack, frames: number, ticks: number): ByteSource[] {
  const perChunk = track.frameSizes.length;
  const whole = Math.floor(frames / perChunk);
  const tail = frames % perChunk;
  const runs = [
    ...(whole > 0 ? [uint32(1, perChunk, 1)] : []),
    ...(tail > 0 ? [uint32(whole + 1, tail, 1)] : []),
  ];
  const sizes = uint32(...track.frameSizes);
  return [
    fullBox('stts', 0, 0, bytes(uint32(1, frames, ticks))),
    fullBox('stsc', 0, 0, bytes(uint32(runs.length), ...runs)),
    fullBox('stsz', 0, 0, bytes(uint32(0, frames)), repeated(sizes, frames * 4)),
  ];
}

function chunkOffsets(chunks: number, offset: (chunk: number) => number): ByteSource {
  return fullBox(
    'co64',
    0,
    0,
    bytes(uint32(chunks)),
    table(chunks, (chunk) => uint64(offset(chunk))),
  );
}
