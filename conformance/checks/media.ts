import { readMp4 } from '../media/mp4.ts';
import {
  fetchPlaylist,
  fetchRenditions,
  type MultivariantPlaylist,
  type RecordedRendition,
  type Renditions,
  type Size,
} from '../media/playlist.ts';
import { readVideos } from '../media/rendition-video.ts';
import { isSegment } from '../media/segment.ts';
import { expectField, expectStatus, fail, type JsonObject } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { type MediaAddress, mediaAddressOf } from '../target/fetch-media.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf } from './requirement.ts';
import { readIdentifier } from './stream-fields.ts';

/** The media at the addresses of a recorded session (interface 1, 2.3 and 4.1). */
export const mediaRequirements = requirementsOf({ area: 'media', needs: ['session'] }, [
  {
    id: 'MEDIA-1',
    clause: '2.3',
    statement: 'recordingUrl leads to an HLS playlist.',
    mutants: ['media-playlist-missing', 'media-playlist-is-html', 'media-playlist-empty'],
    async check(context) {
      const { session } = await context.recording('any');
      await fetchPlaylistOf(context, session);
    },
  },
  {
    id: 'MEDIA-2',
    clause: '2.3',
    statement:
      'Every playlist and segment of the recording can be fetched, and has a format that HLS plays.',
    because: 'A playlist plays nothing if its parts cannot be fetched or are not media.',
    mutants: [
      'media-rendition-missing',
      'media-segment-missing',
      'media-segment-empty',
      'media-segment-is-html',
      'media-segment-is-noise',
      'media-segment-loses-sync',
      'media-initialization-missing',
    ],
    async check(context) {
      const { session } = await context.recording('any');
      await expectSegments(context, await fetchRenditionsOf(context, session));
    },
  },
  {
    id: 'MEDIA-3',
    clause: '1, 2.3',
    statement: 'The recording of a stream with profiles has renditions to choose from.',
    because:
      'The interface rules out adaptive bitrate streaming only for a stream without profiles.',
    mutants: ['media-one-rendition-for-profiles', 'media-repeats-one-rendition'],
    async check(context) {
      const { session } = await context.recording('profiles');
      const playlist = await fetchPlaylistOf(context, session);
      const variants = 'variants' in playlist ? playlist.variants : [];
      const { size } = new Set(variants.map(({ address }) => address.href));
      if (size < 2) {
        const { response } = playlist;
        fail(`expected a multivariant playlist with at least 2 variants, got ${size}`, response);
      }
    },
  },
  {
    id: 'MEDIA-4',
    clause: '1, 4.1',
    statement: 'The recording of a stream without profiles has only the source rendition.',
    mutants: ['media-transcodes-without-profiles', 'create-adds-default-profiles'],
    async check(context) {
      const { session } = await context.recording('plain');
      const playlist = await fetchPlaylistOf(context, session);
      if ('variants' in playlist && playlist.count > 1) {
        fail(`expected one rendition, got ${playlist.count}`, playlist.response);
      }
    },
  },
  {
    id: 'MEDIA-5',
    clause: '2.3',
    statement: 'The segments of the recording last as long as sourceSegmentsDuration says.',
    because: 'It is the duration of the source segments, and a player may stop within a segment.',
    mutants: ['media-duration-wrong', 'media-duration-in-milliseconds', 'media-playlist-cut-short'],
    async check(context) {
      const { session } = await context.recording('any');
      expectSameDuration(session, (await fetchRenditionsOf(context, session)).fetched);
    },
  },
  {
    id: 'MEDIA-6',
    clause: '2.3',
    statement: 'mp4URL leads to an MP4 file.',
    mutants: [
      'media-mp4-missing',
      'media-mp4-is-html',
      'media-mp4-truncated',
      'media-mp4-begins-with-zeros',
      'media-mp4-header-is-zeros',
      'media-mp4-has-no-sample-sizes',
    ],
    async check(context) {
      const { session } = await context.recording('any');
      await fetchMp4(context, session);
    },
  },
  {
    id: 'MEDIA-7',
    clause: '2.3',
    statement: 'The MP4 lasts as long as sourceSegmentsDuration says.',
    because: 'The MP4 holds the source rendition, whose segments have that duration.',
    mutants: ['media-mp4-cut-short'],
    async check(context) {
      const { session } = await context.recording('any');
      await expectWholeMp4(context, session);
    },
  },
  {
    id: 'MEDIA-8',
    level: 'should',
    clause: '2.2, 2.3',
    statement: 'The video of a rendition has the size that the playlist states, if both are known.',
    because: 'A player chooses a rendition by what the playlist states about it.',
    mutants: ['media-states-larger-sizes'],
    async check(context) {
      const { session } = await context.recording('any');
      const { fetched } = await fetchRenditionsOf(context, session);
      const videos = await readVideos(context.media, fetched);
      if (videos.every(({ sizes }) => sizes.length === 0)) {
        context.observe('MEDIA-8 could not read any video');
      }
      videos.forEach(({ rendition: { resolution, response }, sizes }, index) => {
        const shown = sizes.at(-1);
        if (!resolution || !shown || sizes.some((size) => isNear(size, resolution))) return;
        fail(
          `rendition ${index + 1}: expected video of ${sizeText(resolution)}, as RESOLUTION in the playlist states, got ${sizeText(shown)}`,
          response,
        );
      });
    },
  },
  {
    id: 'MEDIA-9',
    level: 'should',
    clause: '1, 2.2',
    statement: 'The renditions of a recording of a stream with profiles are different files.',
    because: 'Each profile has its own size and bitrate, so each makes a different file.',
    mutants: ['media-serves-source-for-every-rendition'],
    async check(context) {
      const { session } = await context.recording('profiles');
      const { response, fetched } = await fetchRenditionsOf(context, session);
      const renditions = [...new Map(fetched.map((one) => [one.response.url, one])).values()];
      if (renditions.length < 2) {
        throw new Blocked('needs a recording with several renditions; see MEDIA-3');
      }
      const videos = await readVideos(context.media, renditions);
      if (new Set(videos.map(({ digest }) => digest)).size === 1) {
        fail(
          `expected different files for the ${renditions.length} renditions, got the same first segment in all`,
          response,
        );
      }
    },
  },
  {
    id: 'MEDIA-10',
    level: 'should',
    clause: '2.1, 2.3',
    statement: 'No address of a recording contains the stream key.',
    because: 'Anyone who gets the recording gets its addresses, and could then send media.',
    needs: ['encoder'],
    mutants: ['media-addresses-show-stream-key'],
    async check(context) {
      const { switched } = await context.history();
      const streamKey = readIdentifier(switched.stream.shown, 'streamKey');
      const { session } = await context.recording('any');
      const { response, fetched } = await fetchRenditionsOf(context, session);
      const addresses = [expectAddress(session, 'recordingUrl'), expectAddress(session, 'mp4URL')];
      const playlists = [response, ...fetched.map((rendition) => rendition.response)];
      const texts = [...addresses, ...playlists.flatMap(({ url, text }) => [url, text])];
      if (texts.some((text) => text.includes(streamKey))) {
        fail(
          'expected addresses without the stream key, got one that contains it',
          session,
          ...playlists,
        );
      }
    },
  },
  {
    id: 'MEDIA-11',
    level: 'should',
    clause: '2.3, 3',
    statement: 'The playlist of a ready recording says that it ends.',
    because: 'A player treats a playlist without EXT-X-ENDLIST as live.',
    mutants: ['media-playlist-without-end'],
    async check(context) {
      const { session } = await context.recording('any');
      for (const { response } of (await fetchRenditionsOf(context, session)).fetched) {
        if (/^#EXT-X-ENDLIST\s*$/m.test(response.text)) continue;
        fail(`playlist ${response.label}: expected EXT-X-ENDLIST, got none`, response);
      }
    },
  },
]);

/** The size of a block in pixels. Encoders round sizes up to whole blocks. */
const block = 16;

function isNear(size: Size, expected: Size): boolean {
  return (
    Math.abs(size.width - expected.width) < block && Math.abs(size.height - expected.height) < block
  );
}

function sizeText({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** Expects an http or https address in a field, and returns it. */
export function expectAddress(session: JsonObject, field: 'recordingUrl' | 'mp4URL'): string {
  expectField(session, field, 'an http or https address', isAddress);
  return String(session[field]);
}

function isAddress(value: unknown): boolean {
  return (
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  );
}

/** Expects the duration of a recording, and returns it, in seconds. */
export function expectDuration(session: JsonObject): number {
  const field = 'sourceSegmentsDuration';
  const isDuration = (value: unknown): boolean => typeof value === 'number' && value > 0;
  expectField(session, field, 'a number above 0, in seconds', isDuration);
  return Number(session[field]);
}

/** Expects every segment that is fetched to be media. */
async function expectSegments(
  context: CheckContext,
  { fetched, count }: Renditions,
): Promise<void> {
  if (fetched.length < count) {
    context.observe(`MEDIA-2 fetched ${fetched.length} of ${count} renditions`);
  }
  for (const { initializations, segments, segmentCount, response } of fetched) {
    const { label } = response;
    if (segments.length === 0) fail(`playlist ${label}: expected segments, got none`, response);
    if (segments.length < segmentCount) {
      context.observe(`MEDIA-2 fetched ${segments.length} of ${segmentCount} segments of ${label}`);
    }
    const isEncrypted = /^#EXT-X-KEY:(?!METHOD=NONE)/m.test(response.text);
    for (const part of [...initializations, ...segments]) {
      await expectMedia(context, part, isEncrypted);
    }
  }
}

async function expectMedia(
  { media }: CheckContext,
  address: MediaAddress,
  isEncrypted: boolean,
): Promise<void> {
  let length = 0;
  const response = await media(address, { onChunk: (chunk) => (length += chunk.length) });
  expectStatus(response, 200, address.label);
  if (isEncrypted ? length > 0 : isSegment(response.bytes)) return;
  // For a missing file, hosts often send an HTML page.
  const got = length === 0 ? 'nothing' : 'something else';
  fail(
    `${address.label}: expected a segment of MPEG-TS, fragmented MP4, packed audio or WebVTT, got ${got}`,
    response,
  );
}

/** Expects that each rendition lasts as long as the session says, to within one of its segments. */
function expectSameDuration(session: JsonObject, renditions: readonly RecordedRendition[]): void {
  const expected = expectDuration(session);
  for (const { duration, tolerance, response } of renditions) {
    if (Math.abs(duration - expected) > tolerance) {
      fail(
        `sourceSegmentsDuration: expected the duration of the playlist, ${duration} s, within one segment (${tolerance} s), got ${expected} s`,
        response,
        session,
      );
    }
  }
}

/** Expects that the MP4 of a session lasts as long as the session says, to within one segment. */
async function expectWholeMp4(context: CheckContext, session: JsonObject): Promise<void> {
  const expected = expectDuration(session);
  const { fetched } = await fetchRenditionsOf(context, session);
  const tolerance = Math.max(...fetched.map((rendition) => rendition.tolerance));
  const { duration, response } = await fetchMp4(context, session);
  if (duration === 0)
    throw new Blocked('needs an MP4 whose header states how long its fragments are');
  if (Math.abs(duration - expected) <= tolerance) return;
  fail(
    `mp4URL: expected a file of ${expected} s (sourceSegmentsDuration), within one segment (${tolerance} s), got ${duration} s`,
    response,
    session,
  );
}

/** Expects an MP4 at the address of a session; its duration is in seconds. */
const fetchMp4: OfSession<{ readonly duration: number; readonly response: object }> =
  onceForSession(async ({ media }, session) => {
    const reader = readMp4();
    const address = mediaAddressOf(session, expectAddress(session, 'mp4URL'));
    const response = await media(address, { onChunk: reader.take });
    expectStatus(response, 200, 'mp4URL');
    return { duration: reader.duration(response), response };
  });

/** The playlist at the address of a session. */
const fetchPlaylistOf: OfSession<MultivariantPlaylist | RecordedRendition> = onceForSession(
  ({ media }, session) => {
    const address = mediaAddressOf(session, expectAddress(session, 'recordingUrl'));
    return fetchPlaylist(media, address, 'recordingUrl');
  },
);

/** The renditions of the playlist at the address of a session. */
const fetchRenditionsOf: OfSession<Renditions> = onceForSession(async (context, session) =>
  fetchRenditions(context.media, await fetchPlaylistOf(context, session)),
);

type OfSession<Value> = (context: CheckContext, session: JsonObject) => Promise<Value>;

/** Fetches media only once in a run, as it is large. All checks get the same object for a session. */
function onceForSession<Value>(fetch: OfSession<Value>): OfSession<Value> {
  const fetched = new WeakMap<JsonObject, Promise<Value>>();
  return (context, session) => {
    const value = fetched.get(session) ?? fetch(context, session);
    fetched.set(session, value);
    return value;
  };
}

/** Expects that both addresses of a session play from beginning to end. */
export async function expectPlayable(context: CheckContext, session: JsonObject): Promise<true> {
  const renditions = await fetchRenditionsOf(context, session);
  await expectSegments(context, renditions);
  expectSameDuration(session, renditions.fetched);
  await expectWholeMp4(context, session);
  return true;
}
