import type { SessionRecord } from '../../fixtures/world-records.ts';
import type { RecordingStatus } from '../../interface/types.ts';
import { loopSeconds, segmentCount } from '../media/frames.ts';
import { deliveredFrames } from '../media/media-counts.ts';
import { longestSession } from '../state/limits.ts';
import type { OpenWorld } from './world.ts';

/**
 * The current status of a session's recording; `undefined` if the session is not recorded. It is computed from
 * the clock on each read, so it needs no timer.
 */
export function recordingStatus(
  { clock, settings }: OpenWorld,
  { record, recordingStatus: fixed, endedAt }: SessionRecord,
): RecordingStatus | undefined {
  if (!record) return undefined;
  if (fixed !== undefined) return fixed;
  if (endedAt === undefined) return 'waiting';
  return clock.now() >= endedAt + settings.recordingDelay ? 'ready' : 'waiting';
}

/** The seconds of media of a live session that ends at `now`: at least one segment, at most 31 days. */
export function endingDuration(session: SessionRecord, now: number): number {
  const elapsed = (now - session.createdAt) / 1000;
  return Math.min(longestSession, Math.max(loopSeconds, elapsed));
}

const liveSegments = 6;

/** The indexes of the segments in a live playlist at `now`: from `first` up to but not including `end`. */
export function liveRange(session: SessionRecord, now: number): { first: number; end: number } {
  const end = segmentCount(deliveredFrames(session, now));
  return { first: Math.max(0, end - liveSegments), end };
}

/** Whether the clock cannot change any more what a session shows: it has ended, and its recording no longer waits. */
export function isSettled(world: OpenWorld, session: SessionRecord): boolean {
  if (session.endedAt === undefined) return false;
  return session.recordingStatus !== undefined || recordingStatus(world, session) !== 'waiting';
}

/** Whether the clock alone will change what a world shows. */
export function isUnsettled(world: OpenWorld): boolean {
  return world.state.records.sessions.entries.some(({ record }) => !isSettled(world, record));
}
