import {
  framesPerSecond,
  loopFrames,
  sampleRate,
  samplesPerAudioFrame,
} from '../../fixtures/media/shape.ts';
import { longestSession } from '../state/limits.ts';

/** The length of the loop, and so of a segment, in seconds. */
export const loopSeconds: number = loopFrames / framesPerSecond;
/** The bits per second that the imaginary encoder sends. */
export const sourceBitrate = 4_000_000;

/** The video frames in `seconds` of media: at least one, since a session has sent something. */
export function framesIn(seconds: number): number {
  return Math.max(1, Math.round(Math.min(seconds, longestSession) * framesPerSecond));
}

/**
 * The whole segments of a live session after `seconds`. The first one exists from the start, because players give up
 * on a playlist without segments.
 */
export function finishedSegments(seconds: number): number {
  // A thousandth of a frame compensates for the rounding of 3.2.
  const frames = Math.min(seconds, longestSession) * framesPerSecond + 0.001;
  return Math.max(1, Math.floor(frames / loopFrames));
}

/** The number of segments of a recording of `frames` video frames. The last one may be short. */
export function segmentCount(frames: number): number {
  return Math.ceil(frames / loopFrames);
}

/** The video frames in the segment at `index` of a recording of `frames` video frames. */
export function segmentFrames(frames: number, index: number): number {
  return Math.min(loopFrames, frames - index * loopFrames);
}

/** The audio frames that go with `frames` video frames: as many as fit, so that the video sets the duration. */
export function audioFramesBeside(frames: number): number {
  return Math.floor((frames * sampleRate) / (framesPerSecond * samplesPerAudioFrame));
}
