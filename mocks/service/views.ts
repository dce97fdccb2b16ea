import { framesPerSecond } from '../../fixtures/media/shape.ts';
import type {
  MediaCounts,
  Profile,
  Session,
  SessionRecord,
  Stream,
  StreamRecord,
} from '../../fixtures/types.ts';
import { segmentCount, sourceBitrate } from '../media/timeline.ts';
import { factsOf } from '../state/ordered.ts';
import { deliveredFrames, recordingStatus } from './recording.ts';
import type { WorldState } from './world.ts';

/** A stream as a client sees it (interface 2.1). */
export function viewStream(world: WorldState, stream: StreamRecord): Stream {
  const now = world.clock.now();
  const counts = factsOf(world.state.records.sessionsOf(stream.id))
    .map((session) => countMedia(session, now))
    .reduce(addCounts, noMedia);
  return {
    id: stream.id,
    kind: 'stream',
    name: stream.name,
    createdAt: stream.createdAt,
    streamKey: stream.streamKey,
    playbackId: stream.playbackId,
    record: stream.record,
    profiles: copyProfiles(stream.profiles),
    ...counts,
    suspended: false,
    renditions: {},
    userId: world.state.userId,
    createdByTokenName: 'livestream-mock',
  };
}

/** A session as a client sees it (interface 2.3); media addresses begin with `origin`. */
export function viewSession(world: WorldState, session: SessionRecord, origin: string): Session {
  const now = world.clock.now();
  const status = recordingStatus(world, session, now);
  const mp4 = `${origin}/recordings/${session.id}/source.mp4`;
  return {
    id: session.id,
    kind: 'session',
    name: session.name,
    parentId: session.parentId,
    playbackId: world.state.records.stream(session.parentId)?.playbackId ?? '',
    createdAt: session.createdAt,
    record: session.record,
    profiles: copyProfiles(session.profiles),
    ...(status !== undefined && { recordingStatus: status }),
    ...(status === 'ready' && {
      recordingUrl: `${origin}/recordings/${session.id}/index.m3u8`,
      mp4URL: mp4,
      mp4Url: mp4,
    }),
    ...countMedia(session, now),
    userId: world.state.userId,
  };
}

/** Whoever is shown a profile may change it, and does not change the record. */
function copyProfiles(profiles: readonly Profile[]): Profile[] {
  return profiles.map((profile) => ({ ...profile }));
}

const noMedia: MediaCounts = {
  isActive: false,
  lastSeen: 0,
  sourceSegments: 0,
  transcodedSegments: 0,
  sourceSegmentsDuration: 0,
  transcodedSegmentsDuration: 0,
  sourceBytes: 0,
  transcodedBytes: 0,
};

function countMedia(session: SessionRecord, now: number): MediaCounts {
  const frames = deliveredFrames(session, now);
  const segments = segmentCount(frames);
  const duration = seconds(frames);
  const renditions = session.profiles.length;
  return {
    isActive: session.endedAt === undefined,
    lastSeen: session.endedAt ?? now,
    sourceSegments: segments,
    transcodedSegments: segments * renditions,
    sourceSegmentsDuration: duration,
    transcodedSegmentsDuration: seconds(frames * renditions),
    sourceBytes: byteCount(duration, sourceBitrate),
    transcodedBytes: byteCount(duration, totalBitrate(session.profiles)),
  };
}

function addCounts(left: MediaCounts, right: MediaCounts): MediaCounts {
  return {
    isActive: left.isActive || right.isActive,
    lastSeen: Math.max(left.lastSeen, right.lastSeen),
    sourceSegments: left.sourceSegments + right.sourceSegments,
    transcodedSegments: left.transcodedSegments + right.transcodedSegments,
    sourceSegmentsDuration: left.sourceSegmentsDuration + right.sourceSegmentsDuration,
    transcodedSegmentsDuration: left.transcodedSegmentsDuration + right.transcodedSegmentsDuration,
    sourceBytes: exact(left.sourceBytes + right.sourceBytes),
    transcodedBytes: exact(left.transcodedBytes + right.transcodedBytes),
  };
}

function seconds(frames: number): number {
  return Math.round((frames * 1e6) / framesPerSecond) / 1e6;
}

function byteCount(duration: number, bitsPerSecond: number): number {
  return exact((duration * bitsPerSecond) / 8);
}

function totalBitrate(profiles: readonly Profile[]): number {
  return profiles.reduce((sum, profile) => sum + profile.bitrate, 0);
}

/** A whole number that JSON carries exactly: a profile may ask for any bitrate. */
function exact(value: number): number {
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}
