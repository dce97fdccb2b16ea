import { framesPerSecond, loopFrames } from '../../fixtures/media/shape.ts';
import type { SessionRecord } from '../../fixtures/world-records.ts';
import type { MediaCounts } from '../../interface/types.ts';
import { finishedSegments, framesIn, segmentCount, sourceBitrate } from './frames.ts';

/** The video frames that a session has delivered by `now`. While it is live, only whole segments count. */
export function deliveredFrames(session: SessionRecord, now: number): number {
  if (session.duration !== undefined) return framesIn(session.duration);
  return finishedSegments((now - session.createdAt) / 1000) * loopFrames;
}

/** Adds what a session has received by `now`, in milliseconds since 1970, to `counts`, and returns them. */
export function addMedia(counts: MediaCounts, session: SessionRecord, now: number): MediaCounts {
  const frames = deliveredFrames(session, now);
  const segments = segmentCount(frames);
  const duration = secondsOf(frames);
  const renditions = session.profiles.length;
  const bitrate = session.profiles.reduce((sum, profile) => sum + profile.bitrate, 0);
  const transcodedBytes = byteCount(duration, bitrate);
  counts.isActive ||= session.endedAt === undefined;
  counts.lastSeen = Math.max(counts.lastSeen, session.endedAt ?? now);
  counts.sourceSegments += segments;
  counts.transcodedSegments += segments * renditions;
  counts.sourceSegmentsDuration += duration;
  counts.transcodedSegmentsDuration += secondsOf(frames * renditions);
  counts.sourceBytes = exact(counts.sourceBytes + byteCount(duration, sourceBitrate));
  counts.transcodedBytes = exact(counts.transcodedBytes + transcodedBytes);
  return counts;
}

function secondsOf(frames: number): number {
  return Math.round((frames * 1e6) / framesPerSecond) / 1e6;
}

function byteCount(duration: number, bitsPerSecond: number): number {
  return exact((duration * bitsPerSecond) / 8);
}

/** Rounds to a whole number that JSON represents exactly, as a profile may have any bitrate. */
function exact(value: number): number {
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}
