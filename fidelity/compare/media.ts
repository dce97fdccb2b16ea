import { readMp4 } from '../../conformance/media/mp4.ts';
import { fetchPlaylist, fetchRenditions } from '../../conformance/media/playlist.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { CheckFailure } from '../../conformance/target/failure.ts';
import { addressOf, type FetchMedia, fetchMedia } from '../../conformance/target/fetch-media.ts';
import type { Target } from '../../conformance/target/target.ts';
import { textOf } from '../json.ts';
import {
  type Correspondence,
  compareDurations,
  compareIdsIn,
  differ,
  type Finding,
  type Two,
} from './records.ts';

/** What the media of a recording says of itself; `undefined` where it cannot be read. */
interface Media {
  readonly renditions: number | undefined;
  /** Seconds. */
  readonly 'duration of the playlist': number | undefined;
  readonly 'duration of the MP4': number | undefined;
  /** Of each rendition its playlist's address, and that of its first segment. */
  readonly addresses: readonly string[];
}

/** How the media of a recording differs. */
export function compareMedia([one, other]: Two<Media>, correspondence: Correspondence): Finding[] {
  const claims = ['renditions', 'duration of the playlist', 'duration of the MP4'] as const;
  const found = claims.flatMap((where) => {
    const first = one[where];
    const second = other[where];
    if (first === undefined || second === undefined) {
      return differ(
        where,
        first === undefined ? 'none' : 'some',
        second === undefined ? 'none' : 'some',
      );
    }
    if (where === 'renditions') return differ(where, String(first), String(second));
    return compareDurations(where, first, second);
  });
  const misled = one.addresses.flatMap((address, index) =>
    compareIdsIn(address, other.addresses[index] ?? '', 'address in the playlist', correspondence),
  );
  return [...found, ...misled.slice(0, 1)];
}

/** Bytes of an MP4 that are read: that of a few seconds has fewer. */
const mp4Limit = 64 * 1024 ** 2;

/**
 * Reads the media of a session whose recording is ready. It sends one request after the other, so that
 * recorded responses come in the same order. @throws NoResponse
 */
export async function readMedia(target: Target, session: JsonObject): Promise<Media> {
  const fetch: FetchMedia = (address, reading) => fetchMedia(target, address, () => {}, reading);
  const { recordingUrl, mp4URL } = session;
  const renditions = await unlessBroken(async () => {
    const address = addressOf(session, textOf(recordingUrl));
    return fetchRenditions(fetch, await fetchPlaylist(fetch, address, 'recordingUrl'));
  });
  const mp4 = await unlessBroken(async () => {
    const reader = readMp4();
    const address = addressOf(session, textOf(mp4URL));
    return reader.duration(await fetch(address, { limit: mp4Limit, onChunk: reader.take }));
  });
  const { fetched = [] } = renditions ?? {};
  return {
    renditions: renditions?.count,
    'duration of the playlist': fetched[0]?.duration,
    'duration of the MP4': mp4,
    addresses: fetched.flatMap(({ response, segments: [first] }) => [
      response.url,
      first?.href ?? '',
    ]),
  };
}

/** `undefined` for media that is not as it should be. */
async function unlessBroken<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}
