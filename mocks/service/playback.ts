import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import type { PlaybackInfo } from '../../interface/schemas.ts';
import type { RecordingStatus, Session } from '../../interface/types.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { type RefuseId, undecodable } from '../state/find.ts';
import { holdsForSome } from '../state/ordered.ts';
import { isSuspended } from '../state/state.ts';
import { acceptOrRefuse } from './accept-or-refuse.ts';
import { ownedId } from './media-owner.ts';
import type { OpenWorld, Requester } from './world.ts';

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

/** The addresses of the recording of a session. */
export function addressesOf(
  { world, origin }: Requester,
  { id }: SessionRecord,
): Required<Pick<Session, 'recordingUrl' | 'mp4URL' | 'mp4Url'>> {
  const folder = `${origin}/recordings/${ownedId(world, id)}`;
  const mp4 = `${folder}/source.mp4`;
  return { recordingUrl: `${folder}/index.m3u8`, mp4URL: mp4, mp4Url: mp4 };
}

/** Whether the clock cannot change any more what a session shows: it has ended, and its recording no longer waits. */
export function isSettled(world: OpenWorld, session: SessionRecord): boolean {
  if (session.endedAt === undefined) return false;
  return session.recordingStatus !== undefined || recordingStatus(world, session) !== 'waiting';
}

/** Whether the clock alone will change what a world shows. */
export function isUnsettled(world: OpenWorld): boolean {
  return holdsForSome(world.state.records.sessions, (session) => !isSettled(world, session));
}

/** Where a player finds a stream, or the recording of a session. */
export function playbackInfo(
  requester: Requester,
  record: StreamRecord | SessionRecord,
): PlaybackInfo {
  const { world, origin } = requester;
  if ('parentId' in record) {
    const { recordingUrl, mp4URL } = addressesOf(requester, record);
    const mp4 = { hrn: 'MP4', type: 'html5/video/mp4', url: mp4URL } as const;
    return { type: 'recording', meta: { source: [hls(recordingUrl), mp4] } };
  }
  const playbackPolicy = record.further?.['playbackPolicy'];
  return {
    type: 'live',
    meta: {
      live: world.state.records.liveSession(record.id) === undefined ? 0 : 1,
      ...(playbackPolicy !== undefined && { playbackPolicy }),
      source: [hls(`${origin}/hls/${ownedId(world, record.playbackId)}/index.m3u8`)],
    },
  };
}

/**
 * The stream with a playback id, or the session with an id whose recording is ready.
 * @throws Problem 404 if there is neither, if the stream is suspended, or if sessions cannot be looked up.
 */
export function findPlayable(
  world: OpenWorld,
  cells: Cells,
  id: string,
  refuse: RefuseId,
): StreamRecord | SessionRecord {
  const { records } = world.state;
  const session = records.session(id);
  if (session !== undefined && recordingStatus(world, session) === 'ready') {
    acceptOrRefuse(cells, 'id:session', () => notPlayable(id));
    return session;
  }
  const stream = records.streamByPlaybackId(id);
  if (stream !== undefined && !isSuspended(stream)) return stream;
  return refuse(undecodable(id) ?? 'id:unknown', id, notPlayable(id));
}

function notPlayable(id: string): Problem {
  const expected =
    'the playback id of a stream of this API key that is not suspended, or the id of a recorded session that is ready';
  return new Problem('unknown', { path: 'playbackId', expected, got: describeValue(id) });
}

/** Livepeer's players recognize HLS by this name and type, whatever its segments are. */
function hls(url: string): PlaybackInfo['meta']['source'][number] {
  return { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url };
}
