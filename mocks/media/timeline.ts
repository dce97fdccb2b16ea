/** Video frames a second, of every rendition. */
export const framesPerSecond = 30;
/** Audio samples a second. */
export const sampleRate = 48_000;
/** Audio samples in one AAC frame. */
export const samplesPerAudioFrame = 1024;
/** Video frames in the loop, and so in a segment. */
export const loopFrames = 96;
/** Length of the loop, and so of a segment, in seconds. */
export const loopSeconds: number = loopFrames / framesPerSecond;
/** Bits per second that the pretended encoder sends. */
export const sourceBitrate = 4_000_000;

/** The video frames in `seconds` of media: at least one, as something was sent. */
export function framesIn(seconds: number): number {
  return Math.max(1, Math.round(seconds * framesPerSecond));
}

/**
 * Whole segments that a live encoder has delivered after `seconds`. The first is there from the
 * start, as a session shows only when it has one: players give up on a playlist without segments.
 */
export function finishedSegments(seconds: number): number {
  // A thousandth of a frame makes up for the rounding of 3.2.
  return Math.max(1, Math.floor((seconds * framesPerSecond + 0.001) / loopFrames));
}

/** Segments of a recording of `frames` video frames; the last one may be short. */
export function segmentCount(frames: number): number {
  return Math.ceil(frames / loopFrames);
}

/** Video frames in the segment at `index` of a recording of `frames` video frames. */
export function segmentFrames(frames: number, index: number): number {
  return Math.min(loopFrames, frames - index * loopFrames);
}

/** Audio frames beside `frames` video frames: as many as fit, so that video sets the duration. */
export function audioFramesBeside(frames: number): number {
  return Math.floor((frames * sampleRate) / (framesPerSecond * samplesPerAudioFrame));
}
