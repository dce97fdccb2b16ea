import type { Size } from '../../target/media/fetch-playlist.ts';
import { expectDistinct } from '../../target/requests/expectations.ts';
import { asPrecondition, Blocked, expectOfEach, fail } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { firstOf, show } from '../../text/phrases.ts';
import { readVideos } from '../media/rendition-video.ts';
import { readySessions } from './all-sessions.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import {
  expectOneFactor,
  expectSeconds,
  expectSegments,
  expectWholeDuration,
  expectWholeMp4,
  fetchMp4,
  fetchPlaylistOf,
  fetchRenditionsOf,
} from './session-media.ts';
import { expectAddress } from './shown-fields.ts';
import { readIdentifier } from './stream-fields.ts';

/** The media at the addresses of a recorded session (interface 1, 2.3 and 4.1). */
export const mediaRequirements = requirementsOf('media', ['session'], {
  'MEDIA-1': {
    clause: '2.3',
    statement: 'recordingUrl leads to an HLS playlist.',
    check: ofEachRecording(fetchPlaylistOf),
  },
  'MEDIA-2': {
    clause: '2.3',
    statement:
      'Every playlist and segment of the recording can be fetched, and has a format that HLS plays.',
    because: 'A playlist plays nothing if its parts cannot be fetched or are not media.',
    check: ofRecording('any', async (context, session) => {
      await expectSegments(context, await fetchRenditionsOf(context, session));
    }),
  },
  'MEDIA-3': {
    level: 'should',
    clause: '1, 2.3',
    statement: 'The recording of a stream with profiles has renditions to choose from.',
    because:
      'The interface rules out adaptive bitrate streaming only for a stream without profiles, but does not say what a recording holds.',
    check: ofRecording('profiles', async (context, session) => {
      const playlist = await fetchPlaylistOf(context, session);
      const variants = 'variants' in playlist ? playlist.variants : [];
      const { size } = new Set(variants.map(({ address }) => address.href));
      if (size < 2) {
        const [first] = variants;
        const shared =
          first !== undefined && variants.length > 1
            ? `${variants.length} that share the address ${show(first.address.label)}`
            : size;
        fail(
          `expected a multivariant playlist with at least 2 variants, each with an address of its own, got ${shared}`,
          playlist.response,
        );
      }
    }),
  },
  'MEDIA-4': {
    clause: '1, 4.1',
    statement: 'The recording of a stream without profiles has only the source rendition.',
    check: ofRecording('plain', async (context, session) => {
      const playlist = await fetchPlaylistOf(context, session);
      if ('variants' in playlist && playlist.count > 1) {
        const sizes = playlist.variants.map(({ address, resolution }) =>
          resolution === undefined ? show(address.label) : sizeText(resolution),
        );
        fail(
          `expected one rendition, the source, as the stream was created without profiles; got ${playlist.count}: ${firstOf(sizes, 5).join(', ')}`,
          playlist.response,
        );
      }
    }),
  },
  'MEDIA-5': {
    clause: '2.3',
    statement:
      'sourceSegmentsDuration is in proportion to the duration of the playlist, by one factor in all sessions.',
    because:
      'It is the duration of the source segments, and the interface states no unit; a player may stop within a segment.',
    async check(context) {
      await expectOneFactor(context, (await readySessions(context)).slice(0, recordingsFetched));
    },
  },
  'MEDIA-6': {
    clause: '2.3',
    statement: 'mp4URL leads to an MP4 file.',
    check: ofEachRecording(fetchMp4),
  },
  'MEDIA-7': {
    clause: '2.3',
    statement: 'The MP4 lasts as long as the playlist.',
    because: 'Both hold the source rendition of the same session.',
    check: ofEachRecording(expectWholeMp4),
  },
  'MEDIA-8': {
    level: 'should',
    clause: '2.2, 2.3',
    statement: 'The video of a rendition has the size that the playlist states, if both are known.',
    because: 'A player chooses a rendition by what the playlist states about it.',
    check: ofRecording('any', async (context, session) => {
      const { fetched } = await fetchRenditionsOf(context, session);
      const videos = await readVideos(context.media, fetched);
      if (videos.every(({ sizes }) => sizes.length === 0)) {
        context.addObservation('MEDIA-8 could not read any video');
      }
      await expectOfEach(videos.entries(), ([index, { rendition, sizes }]) => {
        const { resolution, response } = rendition;
        const lastSize = sizes.at(-1);
        if (!resolution || !lastSize || sizes.some((size) => isAlmostEqual(size, resolution)))
          return;
        fail(
          `rendition ${index + 1}: expected video of ${sizeText(resolution)}, as RESOLUTION in the playlist states, got ${sizeText(lastSize)}`,
          response,
        );
      });
    }),
  },
  'MEDIA-9': {
    level: 'should',
    clause: '1, 2.2',
    statement: 'The renditions of a recording of a stream with profiles are different files.',
    because: 'Each profile has its own size and bitrate, so each makes a different file.',
    check: ofRecording('profiles', async (context, session) => {
      const { response, fetched } = await fetchRenditionsOf(context, session);
      const renditions = [...new Map(fetched.map((media) => [media.response.url, media])).values()];
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
    }),
  },
  'MEDIA-10': {
    level: 'should',
    clause: '2.1, 2.3',
    statement: 'No address of a recording contains the stream key.',
    because: 'Anyone who gets the recording gets its addresses, and could then send media.',
    needs: ['encoder'],
    async check(context) {
      const { switched } = await context.history();
      const streamKey = await asPrecondition(
        'reading the stream key',
        () => readIdentifier(switched.stream.fields, 'streamKey'),
        'CREATE-9',
      );
      const { session } = await context.recording('any');
      const addresses = await asPrecondition(
        'reading the addresses of the recording',
        () => ({
          recordingUrl: expectAddress(session, 'recordingUrl'),
          mp4URL: expectAddress(session, 'mp4URL'),
        }),
        'LIST-12 and LIST-13',
      );
      const { response, fetched } = await fetchRenditionsOf(context, session);
      const playlists = [response, ...fetched.map((rendition) => rendition.response)];
      const shown = [
        ...Object.entries(addresses).map(([where, text]) => ({ where, text, proof: session })),
        ...playlists.flatMap((playlist, index) => [
          { where: `address of playlist ${index + 1}`, text: playlist.url, proof: playlist },
          { where: `addresses in playlist ${index + 1}`, text: playlist.text, proof: playlist },
        ]),
      ];
      await expectOfEach(shown, ({ where, text, proof }) => {
        if (text.includes(streamKey)) {
          fail(`${where}: expected no stream key in it, got the stream key of its stream`, proof);
        }
      });
    },
  },
  'MEDIA-11': {
    level: 'should',
    clause: '2.3, 3',
    statement: 'The playlist of a ready recording says that it ends.',
    because: 'A player treats a playlist without EXT-X-ENDLIST as live.',
    check: ofRecording('any', async (context, session) => {
      const { fetched } = await fetchRenditionsOf(context, session);
      await expectOfEach(fetched, ({ response }) => {
        if (/^#EXT-X-ENDLIST\s*$/m.test(response.text)) return;
        fail(`playlist ${response.label}: expected EXT-X-ENDLIST, got none`, response);
      });
    }),
  },
  'MEDIA-12': {
    level: 'should',
    clause: '2.3',
    statement: 'sourceSegmentsDuration is in seconds.',
    because: 'The interface states no unit, and clients of this field read seconds.',
    check: ofRecording('any', async (context, session) => {
      await expectSeconds(session, (await fetchRenditionsOf(context, session)).fetched);
    }),
  },
  'MEDIA-13': {
    clause: '2.3',
    statement: 'Each session has a recordingUrl and an mp4URL of its own.',
    because: 'They are the addresses of the recording of that session.',
    async check(context) {
      const sessions = await readySessions(context);
      if (sessions.length < 2) return context.addObservation('MEDIA-13 found only one session');
      await expectOfEach(['recordingUrl', 'mp4URL'], (field) => {
        const shown = sessions.filter((session) => field in session);
        expectDistinct(shown, field, 'different sessions');
      });
    },
  },
  'MEDIA-14': {
    level: 'should',
    clause: '2.3',
    statement:
      'The MP4 of a stream with profiles has the size of that of a stream without, if both are known.',
    because:
      'It holds the source rendition, and what goes live for the suite usually sends the same video to all its streams.',
    needs: ['encoder'],
    async check(context) {
      const fetchFirst = async (kind: 'plain' | 'profiles') => {
        const { session } = await context.recording(kind);
        return asPrecondition('reading the MP4', () => fetchMp4(context, session), 'MEDIA-6');
      };
      const plain = await fetchFirst('plain');
      const transcoded = await fetchFirst('profiles');
      if (plain.size === undefined || transcoded.size === undefined) {
        return context.addObservation('MEDIA-14 could not read the size of the video');
      }
      if (isAlmostEqual(transcoded.size, plain.size)) return;
      fail(
        `mp4URL: expected video of ${sizeText(plain.size)}, as in the recording of a stream without profiles, got ${sizeText(transcoded.size)}`,
        transcoded.response,
        plain.response,
      );
    },
  },
  'MEDIA-15': {
    level: 'should',
    clause: '2.3',
    statement:
      'sourceSegmentsDuration is as long as the playlist, within a second, in at least one session.',
    because:
      'It is the duration of the source segments, of which the last is one, but the interface does not say how exact it is.',
    async check(context) {
      await expectWholeDuration(
        context,
        (await readySessions(context)).slice(0, recordingsFetched),
      );
    },
  },
});

/** A check of one ready recording of a stream with profiles, without profiles, or either. */
function ofRecording(
  kind: Parameters<CheckContext['recording']>[0],
  check: (context: CheckContext, session: JsonObject) => Promise<unknown>,
): ListedRequirement['check'] {
  return async (context) => {
    const { session } = await context.recording(kind);
    await check(context, session);
  };
}

/** How many recordings are fetched: a given stream may have hundreds. */
const recordingsFetched = 10;

/** A check of all ready recordings of the run, up to the first ten. */
function ofEachRecording(
  check: (context: CheckContext, session: JsonObject) => Promise<unknown>,
): ListedRequirement['check'] {
  return async (context) => {
    const sessions = (await readySessions(context)).slice(0, recordingsFetched);
    await expectOfEach(sessions, (session) => check(context, session));
  };
}

/** The size of a block in pixels. Encoders round sizes up to whole blocks. */
const block = 16;

function isAlmostEqual(size: Size, expected: Size): boolean {
  return (
    Math.abs(size.width - expected.width) < block && Math.abs(size.height - expected.height) < block
  );
}

function sizeText({ width, height }: Size): string {
  return `${width}x${height}`;
}
