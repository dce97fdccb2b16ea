import { ascii, box, fullBox, uint32, uint64, version1 } from './boxes.ts';
import {
  type ByteSource,
  createSourceCache,
  joinedSource,
  literalSource,
  readAll,
} from './bytes.ts';
import { audioFramesBeside, segmentFrames } from './frames.ts';
import { type Loop, loopBeginning } from './loop.ts';
import { movieHeader, type TrackName, track, trackKinds } from './mp4.ts';

/** The initialization segment (`EXT-X-MAP`) of a rendition. */
export function createInitSegment(loop: Loop): ByteSource {
  return joinedSource([
    box('ftyp', ascii('iso6'), uint32(0), ascii('iso6mp41')),
    box(
      'moov',
      movieHeader(0),
      track('video', loop, 0, emptySampleTables),
      track('audio', loop, 0, emptySampleTables),
      box('mvex', trackExtends('video'), trackExtends('audio')),
    ),
  ]);
}

const emptySampleTables: readonly ByteSource[] = [
  fullBox('stts', 0, uint32(0)),
  fullBox('stsc', 0, uint32(0)),
  fullBox('stsz', 0, uint32(0, 0)),
  fullBox('stco', 0, uint32(0)),
];

function trackExtends(name: TrackName): ByteSource {
  return fullBox('trex', 0, uint32(trackKinds[name].id, 1, 0, 0, 0));
}

const rememberSegment = createSourceCache(100);

/** The media segment at `index` of a session with `frames` video frames: one repetition of the loop. */
export function createSegment(loop: Loop, frames: number, index: number): ByteSource {
  const videoFrames = segmentFrames(frames, index);
  return rememberSegment(`${loop.width} ${videoFrames} ${index}`, () =>
    literalSource(readAll(makeSegment(loop, videoFrames, index))),
  );
}

function makeSegment(loop: Loop, videoFrames: number, index: number): ByteSource {
  const frames = { video: videoFrames, audio: audioFramesBeside(videoFrames) };
  const { video, audio } = loopBeginning(loop, videoFrames);
  const fragment = (name: TrackName, dataOffset: number): ByteSource => {
    const { id, ticks } = trackKinds[name];
    const { frameSizes } = loop[name];
    return box(
      'traf',
      fullBox('tfhd', fragmentHeaderFlags, uint32(id, ticks, laterFrameFlags[name])),
      fullBox('tfdt', version1, uint64(index * frameSizes.length * ticks)),
      fullBox(
        'trun',
        trackRunFlags,
        uint32(frames[name], dataOffset, keyFrameFlags, ...frameSizes.slice(0, frames[name])),
      ),
    );
  };
  const fragments = (start: number): ByteSource =>
    box(
      'moof',
      fullBox('mfhd', 0, uint32(index + 1)),
      fragment('video', start),
      fragment('audio', start + video.length),
    );
  // Their length does not depend on the offsets in them, so they are made twice.
  const mediaStart = fragments(0).length + 8;
  return joinedSource([fragments(mediaStart), box('mdat', video, audio)]);
}

/** Sample flags of a frame that depends on no other (ISO/IEC 14496-12, 8.8.3.1). */
const keyFrameFlags = 0x02000000;
/** Sample flags of all frames but the first. A video frame depends on others and is not a sync point. */
const laterFrameFlags: Readonly<Record<TrackName, number>> = {
  video: 0x01010000,
  audio: keyFrameFlags,
};
/** Which fields follow in `tfhd` (the media begins at the `moof`; duration and flags), and in `trun`. */
const fragmentHeaderFlags = 0x020028;
const trackRunFlags = 0x205;
