import { loopFrames, samplesPerAudioFrame } from '../../fixtures/media/shape.ts';
import { ascii, box, bytes, fullBox, uint32, uint64 } from './boxes.ts';
import { type ByteSource, concatenate, joined, layOut, literal, repeated, table } from './bytes.ts';
import { type Loop, type LoopTrack, loopBeginning, prefixBytes } from './loop.ts';
import { createMemo } from './memo.ts';
import { audioTrack, frameTicks, movieHeader, videoTrack } from './movie.ts';
import { audioFramesBeside } from './timeline.ts';

const remember = createMemo<ByteSource>(100);

/**
 * A recording of `frames` video frames as one MP4, its header first so that a player can seek at
 * once. The tables follow from the loop, so any range of it is computed without the rest.
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

/** Video then sound of one loop, over and over; of the last loop only as much as is left. */
function createPayload(loop: Loop, frames: number): ByteSource {
  const tail = frames % loopFrames;
  const whole = (frames - tail) / loopFrames;
  const beginning = loopBeginning(loop, tail);
  return joined([
    repeated(laidOut(loop), whole * loopBytes(loop), loopBytes(loop)),
    literal(beginning.video),
    literal(beginning.audio),
  ]);
}

/** Bytes of a range that players ask for at once, and that should not be copied together. */
const usualRange = 1024 * 1024;
const layouts = createMemo<Uint8Array<ArrayBuffer>>(3);

/** The loop as often as any usual range of it, wherever it begins, lies in one piece. */
function laidOut(loop: Loop): Uint8Array<ArrayBuffer> {
  return layouts(String(loop.width), () =>
    layOut(concatenate([loop.video.data, loop.audio.data]), usualRange + loopBytes(loop)),
  );
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

/** `stts`, `stsc` and `stsz` of a track with a chunk a loop. `ticks` is the length of a frame. */
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
