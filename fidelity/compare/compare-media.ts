import { type FetchMedia, fetchMedia, mediaAddressOf } from '../../target/media/fetch-media.ts';
import { fetchPlaylist, fetchRenditions } from '../../target/media/fetch-playlist.ts';
import { readMp4 } from '../../target/media/read-mp4.ts';
import { unlessPrevented } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import type { Target } from '../../target/requests/target.ts';
import { textOf } from '../json-shapes.ts';
import { type BothSides, type ComparedService, onBothSides } from './both-sides.ts';
import { compareDurations, differ, type Finding } from './equality.ts';

/** How the media of a session differs, if both sides show that session. */
export async function compareMedia(
  services: BothSides<ComparedService>,
  sessions: BothSides<JsonObject | undefined> | undefined,
): Promise<Finding[]> {
  const [left, right] = sessions ?? [];
  if (left === undefined || right === undefined) return [];
  const pair = [left, right] as const;
  const media = await onBothSides(services, ({ target }, side) => readMedia(target, pair[side]));
  const claims = ['renditions', 'duration of the playlist', 'duration of the MP4'] as const;
  return claims.flatMap((where) => {
    const [leftClaim, rightClaim] = media.map((claimed) => claimed[where]);
    if (leftClaim === undefined || rightClaim === undefined) {
      return differ(where, leftClaim ? 'some' : 'none', rightClaim ? 'some' : 'none');
    }
    if (where === 'renditions') return differ(where, String(leftClaim), String(rightClaim));
    return compareDurations(where, leftClaim, rightClaim);
  });
}

/** The largest MP4 that is read, in bytes: a few seconds need much less. */
const mp4Limit = 64 * 1024 ** 2;

/** What the media of a session says about itself, with durations in seconds; `undefined` if it cannot be read. */
async function readMedia(target: Target, session: JsonObject) {
  const fetch: FetchMedia = (address, reading) => fetchMedia(target, address, () => {}, reading);
  const readPlaylists = async () => {
    const address = mediaAddressOf(session, textOf(session['recordingUrl']));
    return fetchRenditions(fetch, await fetchPlaylist(fetch, address, 'recordingUrl'));
  };
  const readFile = async () => {
    const reader = readMp4();
    const address = mediaAddressOf(session, textOf(session['mp4URL']));
    return reader.duration(await fetch(address, { limit: mp4Limit, onChunk: reader.take }));
  };
  const playlists = await unlessPrevented(readPlaylists());
  return {
    renditions: playlists?.count,
    'duration of the playlist': playlists?.fetched[0]?.duration,
    'duration of the MP4': await unlessPrevented(readFile()),
  };
}
