import type { LivePosition, SessionRecord } from '../../fixtures/world-records.ts';
import { framesIn, segmentCount } from '../media/frames.ts';
import type { LivePart, LiveWindow } from '../media/playlist.ts';
import { liveBegin, type Records } from '../state/state.ts';

/**
 * The live playlist of a stream has one address for all its sessions. Their segments have consecutive media sequence
 * numbers, from the first segment of the stream's first session on (RFC 8216, 6.2.2: the number never falls). Each
 * session keeps where it begins there, so its number costs the same however many sessions came before.
 *
 * Everything else follows from the sessions and the clock, so no version of the playlist contradicts an earlier one.
 */

/** The number of segments in a live playlist, once there are so many. */
const windowSegments = 6;

/**
 * The milliseconds in which an encoder can come back: until then the playlist of a session that has ended stays open, and
 * what comes next continues it. Then it ends, and players stop asking for it.
 */
const reconnectWindow = 60_000;

/**
 * The segments of a session that its stream's live playlist has had by `now`, in milliseconds since 1970. They are
 * whole: the segment that the encoder is sending is there from its first frame on, as the test card is known in advance.
 * So there is something to play from the first second on, and one more segment every 3.2 s.
 */
function liveSegments(session: SessionRecord, now: number): number {
  return segmentCount(framesIn(session.duration ?? (now - session.createdAt) / 1000));
}

/**
 * Where a new session begins in the live playlist of its stream, whose `latest` session has ended. A session of the past,
 * which was over before the latest one began, is not in that playlist.
 */
export function findLivePosition(
  latest: SessionRecord,
  session: SessionRecord,
): LivePosition | undefined {
  const isPast = session.endedAt !== undefined && session.createdAt < latest.createdAt;
  if (isPast) return undefined;
  return {
    previousId: latest.id,
    mediaSequence: liveBegin(latest) + liveSegments(latest, session.createdAt),
    discontinuitySequence: (latest.livePosition?.discontinuitySequence ?? 0) + 1,
  };
}

/** What the live playlist of a rendition shows at `now`. The stream's latest session, `latest`, has this rendition. */
export function liveWindow(
  records: Records,
  latest: SessionRecord,
  rendition: string,
  now: number,
): LiveWindow {
  const parts: LivePart[] = [];
  let missing = windowSegments;
  let session: SessionRecord | undefined = latest;
  while (session !== undefined && missing > 0) {
    const end = liveSegments(session, now);
    const first = Math.max(0, end - missing);
    parts.unshift({ ...livePart(session), first, end });
    missing -= end - first;
    session = continuedSession(records, session, rendition);
  }
  return { parts, ended: isOver(latest, now) };
}

function livePart({ id, createdAt, livePosition }: SessionRecord): Omit<LivePart, 'first' | 'end'> {
  const { mediaSequence = 0, discontinuitySequence = 0 } = livePosition ?? {};
  return { sessionId: id, startedAt: createdAt, mediaSequence, discontinuitySequence };
}

/** The session before one, if it had the rendition and the playlist had not ended between them. */
function continuedSession(
  records: Records,
  session: SessionRecord,
  rendition: string,
): SessionRecord | undefined {
  const previous = records.session(session.livePosition?.previousId ?? '');
  if (previous === undefined || isOver(previous, session.createdAt)) return undefined;
  return hasRendition(previous, rendition) ? previous : undefined;
}

/** Whether a session has a rendition: `source`, or the place of one of its profiles. */
export function hasRendition({ profiles }: SessionRecord, rendition: string): boolean {
  return rendition === 'source' || (/^\d+$/.test(rendition) && Number(rendition) < profiles.length);
}

function isOver({ endedAt }: SessionRecord, now: number): boolean {
  return endedAt !== undefined && now >= endedAt + reconnectWindow;
}

/**
 * The indexes of a session's segments that a player can fetch at `now`, from `first` up to but not including `end`. After
 * a segment has left the playlist, it stays available for its own length and that of the playlist (RFC 8216, 6.2.2).
 */
export function availableSegments(
  latest: SessionRecord,
  session: SessionRecord,
  now: number,
): { first: number; end: number } {
  const latestEnd = liveBegin(latest) + liveSegments(latest, now);
  const oldest = latestEnd - windowSegments - (windowSegments + 1);
  return { first: Math.max(0, oldest - liveBegin(session)), end: liveSegments(session, now) };
}
