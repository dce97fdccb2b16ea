import { loopFrames } from '../../fixtures/media/shape.ts';
import { ascii, box, fullBox, uint32, uint64 } from './boxes.ts';
import {
  type ByteSource,
  concatenate,
  createSourceCache,
  joined,
  repeated,
  table,
} from './bytes.ts';
import { type Loop, loopBeginning, prefixBytes } from './loop.ts';
import { movieHeader, type TrackName, track, trackKinds } from './movie.ts';
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
  const fileType = box('ftyp', ascii('isom'), uint32(0x200), ascii('isomiso2avc1mp41'));
  // The header's length does not depend on where the media begins, so it is made twice.
  const headLength = fileType.length + movie(loop, frames, 0).length + mediaHeaderLength;
  const mediaSize = uint64(mediaHeaderLength + payload.length);
  const head = [fileType, movie(loop, frames, headLength)];
  return joined([...head, uint32(1), ascii('mdat'), mediaSize, payload]);
}

const mediaHeaderLength = 16;

/** The video then the sound of the loop, repeated; the last turn is as long as the rest. */
function createPayload(loop: Loop, frames: number): ByteSource {
  const tail = frames % loopFrames;
  const whole = (frames - tail) / loopFrames;
  const turn = concatenate([loop.video.data, loop.audio.data]);
  const { video, audio } = loopBeginning(loop, tail);
  return joined([repeated(turn, whole * turn.length), video, audio]);
}

function movie(loop: Loop, frames: number, mediaStart: number): ByteSource {
  const audioFrames = audioFramesBeside(frames);
  const chunks = Math.ceil(frames / loopFrames);
  const loopBytes = loop.video.data.length + loop.audio.data.length;
  const chunkStart = (chunk: number): number => mediaStart + chunk * loopBytes;
  const soundStart = (chunk: number): number =>
    prefixBytes(loop.video, Math.min(loopFrames, frames - chunk * loopFrames));
  const keyFrames = fullBox(
    'stss',
    0,
    0,
    uint32(chunks),
    table(chunks, (chunk) => uint32(chunk * loopFrames + 1)),
  );
  return box(
    'moov',
    movieHeader(frames),
    track('video', loop, frames, [
      ...sampleTables('video', loop, frames),
      chunkOffsets(chunks, chunkStart),
      keyFrames,
    ]),
    track('audio', loop, audioFrames, [
      ...sampleTables('audio', loop, audioFrames),
      chunkOffsets(chunks, (chunk) => chunkStart(chunk) + soundStart(chunk)),
    ]),
  );
}

/** `stts`, `stsc` and `stsz` of a track with one chunk for each turn of the loop. */
function sampleTables(name: TrackName, loop: Loop, frames: number): ByteSource[] {
  const { frameSizes } = loop[name];
  const perChunk = frameSizes.length;
  const whole = Math.floor(frames / perChunk);
  const tail = frames % perChunk;
  const runs = [
    ...(whole > 0 ? [uint32(1, perChunk, 1)] : []),
    ...(tail > 0 ? [uint32(whole + 1, tail, 1)] : []),
  ];
  const sizes = uint32(...frameSizes);
  return [
    fullBox('stts', 0, 0, uint32(1, frames, trackKinds[name].ticks)),
    fullBox('stsc', 0, 0, uint32(runs.length), ...runs),
    fullBox('stsz', 0, 0, uint32(0, frames), repeated(sizes, frames * 4)),
  ];
}

function chunkOffsets(chunks: number, offset: (chunk: number) => number): ByteSource {
  return fullBox(
    'co64',
    0,
    0,
    uint32(chunks),
    table(chunks, (chunk) => uint64(offset(chunk))),
  );
}
