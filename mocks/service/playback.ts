import type { Manners } from '../../interface/dialect.ts';
import type { PlaybackInfo } from '../../interface/schemas.ts';
import { findPlayable } from './queries.ts';
import { addressesOf } from './sessions.ts';
import type { WorldState } from './world.ts';

/**
 * Where a player finds a stream by its playback id, or the recording of a session by the session's id;
 * addresses begin with `origin`.
 * @throws Problem 404 for an unknown id, a recording that is not ready, or where sessions are not looked up.
 */
export function playbackInfo(
  world: WorldState,
  id: string,
  origin: string,
  manners: Manners,
): PlaybackInfo {
  const found = findPlayable(world, id, manners);
  if ('parentId' in found) {
    const { recordingUrl, mp4URL } = addressesOf(found, origin);
    return { type: 'recording', meta: { source: [hls(recordingUrl), mp4(mp4URL)] } };
  }
  const playbackPolicy = found.further?.['playbackPolicy'];
  return {
    type: 'live',
    meta: {
      live: world.state.records.liveSession(found.id) === undefined ? 0 : 1,
      ...(playbackPolicy !== undefined && { playbackPolicy }),
      source: [hls(`${origin}/hls/${found.playbackId}/index.m3u8`)],
    },
  };
}

/** The name and type are those that players of the field know for HLS, whatever its segments are. */
function hls(url: string): PlaybackInfo['meta']['source'][number] {
  return { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url };
}

function mp4(url: string): PlaybackInfo['meta']['source'][number] {
  return { hrn: 'MP4', type: 'html5/video/mp4', url };
}
