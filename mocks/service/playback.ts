import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { PlaybackInfo } from '../../interface/schemas.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { undecodable } from '../state/find.ts';
import { isSuspended } from '../state/state.ts';
import { acceptOrRefuse } from './accept-or-refuse.ts';
import { recordingStatus } from './recording.ts';
import { addressesOf } from './views.ts';
import type { Requester } from './world.ts';

/**
 * Where a player finds a stream by its playback id, or the recording of a session by the session's id.
 * @throws Problem 404 for an unknown id, for a recording that is not ready, or if sessions cannot be looked up.
 */
export function playbackInfo(requester: Requester, id: string): PlaybackInfo {
  const { world, origin } = requester;
  const record = findPlayable(requester, id);
  if ('parentId' in record) {
    const { recordingUrl, mp4URL } = addressesOf(record, origin);
    const mp4 = { hrn: 'MP4', type: 'html5/video/mp4', url: mp4URL } as const;
    return { type: 'recording', meta: { source: [hls(recordingUrl), mp4] } };
  }
  const playbackPolicy = record.further?.['playbackPolicy'];
  return {
    type: 'live',
    meta: {
      live: world.state.records.liveSession(record.id) === undefined ? 0 : 1,
      ...(playbackPolicy !== undefined && { playbackPolicy }),
      source: [hls(`${origin}/hls/${record.playbackId}/index.m3u8`)],
    },
  };
}

/**
 * The stream with a playback id, or the session with an id whose recording is ready.
 * @throws Problem 404 if there is neither, if the stream is suspended, or if sessions cannot be looked up.
 */
function findPlayable({ world, dialect }: Requester, id: string): StreamRecord | SessionRecord {
  const { records } = world.state;
  const session = records.session(id);
  if (session !== undefined && recordingStatus(world, session) === 'ready') {
    acceptOrRefuse({ dialect, endpoint: 'retrievePlayback' }, notPlayable(id, 'id:session'));
    return session;
  }
  const stream = records.streamByPlaybackId(id);
  if (stream !== undefined && !isSuspended(stream)) return stream;
  throw notPlayable(id, undecodable(id) ?? 'id:unknown');
}

function notPlayable(id: string, error: string): Problem {
  const expected =
    'the playback id of a stream of this API key that is not suspended, or the id of a recorded session that is ready';
  return new Problem('unknown', { path: 'playbackId', expected, got: describeValue(id), error });
}

/** Livepeer's players recognize HLS by this name and type, whatever its segments are. */
function hls(url: string): PlaybackInfo['meta']['source'][number] {
  return { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url };
}
