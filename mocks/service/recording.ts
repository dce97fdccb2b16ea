import { loopFrames } from '../../fixtures/media/shape.ts';
import { longestSession } from '../../interface/schemas.ts';
import type { RecordingStatus, SessionRecord } from '../../interface/types.ts';
import { finishedSegments, framesIn, loopSeconds, segmentCount } from '../media/timeline.ts';
import type { WorldState } from './world.ts';

/**
 * The state of a session's recording at `now`, in milliseconds since 1970; `undefined` where it is
 * not recorded. It follows from the clock when it is read: no timer moves it.
 */
export function recordingStatus(
  world: WorldState,
  session: SessionRecord,
  now: number,
): RecordingStatus | undefined {
  if (!session.record) return undefined;
  if (session.recordingStatus !== undefined) return session.recordingStatus;
  if (session.endedAt === undefined) return 'waiting';
  return now >= session.endedAt + world.settings.recordingDelay ? 'ready' : 'waiting';
}

/** Video frames that a session has delivered at `now`: whole segments while it is live. */
export function deliveredFrames(session: SessionRecord, now: number): number {
  if (session.duration !== undefined) return framesIn(session.duration);
  return finishedSegments((now - session.createdAt) / 1000) * loopFrames;
}

/** Seconds of media that a live session will have delivered when it ends at `now`. */
export function endingDuration(session: SessionRecord, now: number): number {
  const elapsed = (now - session.createdAt) / 1000;
  return Math.min(longestSession, Math.max(loopSeconds, elapsed));
}

const liveSegments = 6;

/** The segments that a live playlist shows at `now`, as indexes: from `first` up to, without, `end`. */
export function liveRange(session: SessionRecord, now: number): { first: number; end: number } {
  const end = segmentCount(deliveredFrames(session, now));
  return { first: Math.max(0, end - liveSegments), end };
}

/** Whether time alone will change what the world shows: a session is live, or a recording is made. */
export function isUnsettled({ state, settings, clock }: WorldState): boolean {
  return state.records.isUnsettled(clock.now() - settings.recordingDelay);
}
