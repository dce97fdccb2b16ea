import { readMp4 } from '../../../conformance/media/mp4.ts';
import { fetchPlaylist, fetchRenditions } from '../../../conformance/media/playlist.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { CheckFailure } from '../../../conformance/target/failure.ts';
import { addressOf, type FetchMedia, fetchMedia } from '../../../conformance/target/fetch-media.ts';
import type { Target } from '../../../conformance/target/target.ts';
import { textOf } from '../../json.ts';
import { compareIdsIn } from '../equal/addresses.ts';
import type { Correspondence } from '../equal/correspondence.ts';
import type { Finding } from '../equal/finding.ts';
import { areNear } from '../equal/records.ts';
import { both, type Service, type Two } from './side.ts';

/** What the media of a recording says of itself. */
interface Claims {
  readonly renditions: number | undefined;
  /** Seconds; `undefined` where it cannot be read. */
  readonly 'duration of the playlist': number | undefined;
  readonly 'duration of the MP4': number | undefined;
}

/** What the media of a recording is, and the addresses in its playlists. */
interface Media {
  readonly claims: Claims;
  /** Of each rendition its playlist's, and that of its first segment. */
  readonly addresses: readonly string[];
}

/** How the media of a recording that is ready on both sides differs. @throws NoResponse */
export async function compareMedia(
  services: Two<Service>,
  sessions: Two<JsonObject>,
  ids: Correspondence['ids'],
): Promise<Finding[]> {
  const media = await both(services, ({ target }, side) => read(target, sessions[side]));
  return [...compareClaims(media), ...compareAddresses(media, ids)];
}

/** How the addresses in two playlists differ. */
function compareAddresses([one, other]: Two<Media>, ids: Correspondence['ids']): Finding[] {
  const found = one.addresses.flatMap((address, index) =>
    compareIdsIn(address, other.addresses[index] ?? '', 'address in the playlist', ids),
  );
  return found.slice(0, 1);
}

function compareClaims(media: Two<Media>): Finding[] {
  const [one, other] = media.map(({ claims }) => claims) as [Claims, Claims];
  return (Object.keys(one) as (keyof Claims)[]).flatMap((where): Finding[] => {
    const [first, second] = [one[where], other[where]];
    if (first === second) return [];
    if (first === undefined || second === undefined) {
      return [{ where, kinds: first === undefined ? ['none', 'some'] : ['some', 'none'] }];
    }
    if (where === 'renditions') return [{ where, kinds: [String(first), String(second)] }];
    if (areNear(first, second)) return [];
    return [{ where, kinds: first < second ? ['shorter', 'longer'] : ['longer', 'shorter'] }];
  });
}

/** One request after the other, so that recorded responses come in the same order. */
async function read(target: Target, session: JsonObject): Promise<Media> {
  const fetch: FetchMedia = (address, reading) => fetchMedia(target, address, () => {}, reading);
  const { recordingUrl, mp4URL } = session;
  const renditions = await unlessBroken(async () => {
    const address = addressOf(session, textOf(recordingUrl));
    return fetchRenditions(fetch, await fetchPlaylist(fetch, address, 'recordingUrl'));
  });
  const mp4 = await unlessBroken(async () => {
    const reader = readMp4();
    const response = await fetch(addressOf(session, textOf(mp4URL)), {
      limit: mp4Limit,
      onChunk: reader.take,
    });
    return reader.duration(response);
  });
  const { fetched = [] } = renditions ?? {};
  return {
    claims: {
      renditions: renditions?.count,
      'duration of the playlist': fetched[0]?.duration,
      'duration of the MP4': mp4,
    },
    addresses: fetched.flatMap(({ url, segments: [first] }) => [url, first?.href ?? '']),
  };
}

/** Bytes of an MP4 that are read: that of a few seconds has fewer. */
const mp4Limit = 64 * 1024 ** 2;

/** `undefined` for media that is not as it should be. */
async function unlessBroken<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}
