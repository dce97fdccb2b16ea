import { loopFrames } from '../../fixtures/media/shape.ts';
import type { Manners } from '../../interface/dialect.ts';
import { longestSession } from '../../interface/schemas.ts';
import type { Appearance } from '../../interface/silent.ts';
import type { RecordingStatus, SessionRecord } from '../../interface/types.ts';
import { finishedSegments, framesIn, loopSeconds, segmentCount } from '../media/timeline.ts';
import type { WorldState } from './world.ts';

/**
 * The status of a session's recording at `now`, in milliseconds since 1970; `undefined` for a session
 * that is not recorded. It is computed from the clock on each read, so it needs no timer.
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

/** Which sessions lists show now; `undefined` where they show all. */
export function listedSessions(
  world: WorldState,
  { rows }: Manners,
  list: 'listSessionsOfStream' | 'listSessions',
): ((session: SessionRecord) => boolean) | undefined {
  const { 'sessions.appear': appears, 'time.listed': delay } = rows;
  const appear = appears[list];
  if (appear === 'at-start' && delay === 0) return undefined;
  const now = world.clock.now();
  return (session) => now >= appearance(world, session, appear) + delay;
}

/** When a session appears in lists, in milliseconds since 1970; infinity where that is not known yet. */
function appearance(world: WorldState, session: SessionRecord, appear: Appearance): number {
  if (appear === 'at-start') return session.createdAt;
  const { endedAt = Number.POSITIVE_INFINITY, record, recordingStatus: fixed } = session;
  if (appear === 'at-end' || !record) return endedAt;
  if (fixed === 'waiting') return Number.POSITIVE_INFINITY;
  return fixed === undefined ? endedAt + world.settings.recordingDelay : endedAt;
}

/** Video frames that a session has delivered by `now`, only those of whole segments while it is live. */
export function deliveredFrames(session: SessionRecord, now: number): number {
  if (session.duration !== undefined) return framesIn(session.duration);
  return finishedSegments((now - session.createdAt) / 1000) * loopFrames;
}

/** Seconds of media of a live session that ends at `now`: at least one segment, at most 31 days. */
export function endingDuration(session: SessionRecord, now: number): number {
  const elapsed = (now - session.createdAt) / 1000;
  return Math.min(longestSession, Math.max(loopSeconds, elapsed));
}

const liveSegments = 6;

/** Indexes of the segments in a live playlist at `now`: from `first` to before `end`. */
export function liveRange(session: SessionRecord, now: number): { first: number; end: number } {
  const end = segmentCount(deliveredFrames(session, now));
  return { first: Math.max(0, end - liveSegments), end };
}

/** Whether the clock alone will change what a world shows: a session is live, or a recording not ready. */
export function isUnsettled({ state, settings, clock }: WorldState): boolean {
  return state.records.isUnsettled(clock.now() - settings.recordingDelay);
}
