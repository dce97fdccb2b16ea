import { readMp4 } from '../../conformance/media/mp4.ts';
import { fetchPlaylist, fetchRenditions } from '../../conformance/media/playlist.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { unlessPrevented } from '../../conformance/target/failure.ts';
import { addressOf, type FetchMedia, fetchMedia } from '../../conformance/target/fetch-media.ts';
import type { Target } from '../../conformance/target/target.ts';
import { textOf } from '../json.ts';
import { compareDurations, differ, type Finding, type Two } from './records.ts';
import { both } from './sides.ts';

/** How the media of a session whose recording is ready on both sides differs. */
export async function compareMedia(
  targets: Two<Target>,
  sessions: Two<JsonObject>,
): Promise<Finding[]> {
  const media = await both(targets, (target, side) => readMedia(target, sessions[side]));
  const claims = ['renditions', 'duration of the playlist', 'duration of the MP4'] as const;
  return claims.flatMap((where) => {
    const [one, other] = media.map((each) => each[where]);
    if (one === undefined || other === undefined) {
      return differ(
        where,
        one === undefined ? 'none' : 'some',
        other === undefined ? 'none' : 'some',
      );
    }
    if (where === 'renditions') return differ(where, String(one), String(other));
    return compareDurations(where, one, other);
  });
}

/** Bytes of an MP4 that are read: that of a few seconds has fewer. */
const mp4Limit = 64 * 1024 ** 2;

/** What the media of a recording says of itself, durations in seconds; `undefined` where it cannot be read. */
async function readMedia(target: Target, session: JsonObject) {
  const fetch: FetchMedia = (address, reading) => fetchMedia(target, address, () => {}, reading);
  const readPlaylists = async () => {
    const address = addressOf(session, textOf(session['recordingUrl']));
    return fetchRenditions(fetch, await fetchPlaylist(fetch, address, 'recordingUrl'));
  };
  const readFile = async () => {
    const reader = readMp4();
    const address = addressOf(session, textOf(session['mp4URL']));
    return reader.duration(await fetch(address, { limit: mp4Limit, onChunk: reader.take }));
  };
  const playlists = await unlessPrevented(readPlaylists());
  return {
    renditions: playlists?.count,
    'duration of the playlist': playlists?.fetched[0]?.duration,
    'duration of the MP4': await unlessPrevented(readFile()),
  };
}
