import { loopFrames, samplesPerAudioFrame } from '../../fixtures/media/shape.ts';
import { ascii, box, fullBox, uint32, uint64 } from './boxes.ts';
import { type ByteSource, createSourceCache, joined, literal, readAll } from './bytes.ts';
import { type Loop, loopBeginning } from './loop.ts';
import { frameTicks, movieHeader, track, trackKinds } from './movie.ts';
import { audioFramesBeside, segmentFrames } from './timeline.ts';

/** The initialization segment (`EXT-X-MAP`) of a rendition. */
export function createInitSegment(loop: Loop): ByteSource {
  const { video, audio } = trackKinds;
  return joined([
    box('ftyp', ascii('iso6'), uint32(0), ascii('iso6mp41')),
    box(
      'moov',
      movieHeader(0),
      track(video, loop, 0, emptySampleTables),
      track(audio, loop, 0, emptySampleTables),
      box('mvex', trackExtends(video.id), trackExtends(audio.id)),
    ),
  ]);
}

const emptySampleTables: readonly ByteSource[] = [
  fullBox('stts', 0, 0, uint32(0)),
  fullBox('stsc', 0, 0, uint32(0)),
  fullBox('stsz', 0, 0, uint32(0, 0)),
  fullBox('stco', 0, 0, uint32(0)),
];

function trackExtends(trackId: number): ByteSource {
  return fullBox('trex', 0, 0, uint32(trackId, 1, 0, 0, 0));
}

const remember = createSourceCache(100);

/** The media segment at `index` of a session with `frames` video frames: one turn of the loop. */
export function createSegment(loop: Loop, frames: number, index: number): ByteSource {
  const videoFrames = segmentFrames(frames, index);
  return remember(`${loop.width} ${videoFrames} ${index}`, () =>
    literal(readAll(makeSegment(loop, videoFrames, index))),
  );
}

function makeSegment(loop: Loop, videoFrames: number, index: number): ByteSource {
  const audioFrames = audioFramesBeside(videoFrames);
  const { video, audio } = loopBeginning(loop, videoFrames);
  const fragment = (videoOffset: number, audioOffset: number): ByteSource =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, uint32(index + 1)),
      trackFragment({
        trackId: trackKinds.video.id,
        ticks: frameTicks,
        start: index * loopFrames * frameTicks,
        sizes: loop.video.frameSizes.slice(0, videoFrames),
        dataOffset: videoOffset,
        firstFlags: keyFrame,
        otherFlags: dependentFrame,
      }),
      trackFragment({
        trackId: trackKinds.audio.id,
        ticks: samplesPerAudioFrame,
        start: index * loop.audio.frameSizes.length * samplesPerAudioFrame,
        sizes: loop.audio.frameSizes.slice(0, audioFrames),
        dataOffset: audioOffset,
        firstFlags: keyFrame,
        otherFlags: keyFrame,
      }),
    );
  // The fragment's length does not depend on the offsets in it, so it is made twice.
  const mediaStart = fragment(0, 0).length + 8;
  return joined([fragment(mediaStart, mediaStart + video.length), box('mdat', video, audio)]);
}

/** Sample flags (ISO/IEC 14496-12, 8.8.3.1): depends on no other, or on others and no sync point. */
const keyFrame = 0x02000000;
const dependentFrame = 0x01010000;

interface FragmentPlan {
  readonly trackId: number;
  /** Length of a frame in the track's units. */
  readonly ticks: number;
  /** Where the fragment begins in the track's units. */
  readonly start: number;
  readonly sizes: readonly number[];
  readonly dataOffset: number;
  readonly firstFlags: number;
  readonly otherFlags: number;
}

function trackFragment(plan: FragmentPlan): ByteSource {
  const defaultBaseIsMoof = 0x020000;
  const defaultDurationAndFlags = 0x28;
  const offsetFirstFlagsAndSizes = 0x205;
  return box(
    'traf',
    fullBox(
      'tfhd',
      0,
      defaultBaseIsMoof + defaultDurationAndFlags,
      uint32(plan.trackId, plan.ticks, plan.otherFlags),
    ),
    fullBox('tfdt', 1, 0, uint64(plan.start)),
    fullBox(
      'trun',
      0,
      offsetFirstFlagsAndSizes,
      uint32(plan.sizes.length, plan.dataOffset, plan.firstFlags, ...plan.sizes),
    ),
  );
}
