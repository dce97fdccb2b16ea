import { framesPerSecond } from '../../fixtures/media/shape.ts';
import type {
  MediaCounts,
  Profile,
  Session,
  SessionRecord,
  Stream,
  StreamRecord,
} from '../../interface/types.ts';
import { segmentCount, sourceBitrate } from '../media/timeline.ts';
import { deliveredFrames, recordingStatus } from './recording.ts';
import type { WorldState } from './world.ts';

/** A stream as a client sees it (interface 2.1). */
export function viewStream(world: WorldState, stream: StreamRecord): Stream {
  const now = world.clock.now();
  const view: Stream = {
    id: stream.id,
    kind: 'stream',
    name: stream.name,
    createdAt: stream.createdAt,
    streamKey: stream.streamKey,
    playbackId: stream.playbackId,
    record: stream.record,
    profiles: copyProfiles(stream.profiles),
    // Spelled out: spread, they would take as long as all the rest.
    isActive: false,
    lastSeen: 0,
    sourceSegments: 0,
    transcodedSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegmentsDuration: 0,
    sourceBytes: 0,
    transcodedBytes: 0,
    suspended: false,
    renditions: {},
    userId: world.state.userId,
    createdByTokenName: 'livestream-mock',
  };
  for (const { fact } of world.state.records.sessionsOf(stream.id).rows) {
    if (fact !== undefined) addMedia(view, fact, now);
  }
  return view;
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
    ...addMedia({ ...noMedia }, session, now),
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

/** Adds to `counts` what a session has received; returns them. */
function addMedia(counts: MediaCounts, session: SessionRecord, now: number): MediaCounts {
  const frames = deliveredFrames(session, now);
  const segments = segmentCount(frames);
  const duration = seconds(frames);
  const renditions = session.profiles.length;
  const transcodedBytes = byteCount(duration, totalBitrate(session.profiles));
  counts.isActive ||= session.endedAt === undefined;
  counts.lastSeen = Math.max(counts.lastSeen, session.endedAt ?? now);
  counts.sourceSegments += segments;
  counts.transcodedSegments += segments * renditions;
  counts.sourceSegmentsDuration += duration;
  counts.transcodedSegmentsDuration += seconds(frames * renditions);
  counts.sourceBytes = exact(counts.sourceBytes + byteCount(duration, sourceBitrate));
  counts.transcodedBytes = exact(counts.transcodedBytes + transcodedBytes);
  return counts;
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
