import type { RecordingKind } from '../sessions/recording.ts';
import { fail } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import type { CheckContext } from './check-context.ts';
import type { Choice, Rendition, Renditions } from './media-files.ts';
import {
  expectSameDuration,
  expectSegments,
  expectWholeMp4,
  fetchMp4,
  fetchPlaylistOf,
  fetchRenditionsOf,
} from './playback.ts';
import { type RenditionVideo, readVideos, type Size } from './rendition-video.ts';
import type { Requirement } from './requirement.ts';

const area = 'media';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['session'] as const;

/** The media behind the addresses of a recorded session (interface 1, 2.3 and 4.1). */
export const mediaRequirements: readonly Requirement[] = [
  {
    id: 'MEDIA-1',
    area,
    level,
    clause: '2.3',
    statement: 'recordingUrl leads to an HLS playlist.',
    basis: stated,
    needs,
    mutants: ['media-playlist-missing', 'media-playlist-is-html'],
    async check(context) {
      await choiceOf(context, 'any');
    },
  },
  {
    id: 'MEDIA-2',
    area,
    level,
    clause: '2.3',
    statement: 'Every playlist and every segment of the recording answers.',
    basis: { kind: 'derived', because: 'A playlist whose parts do not answer plays nothing.' },
    needs,
    mutants: [
      'media-rendition-missing',
      'media-segment-missing',
      'media-segment-empty',
      'media-segment-is-html',
      'media-initialization-missing',
    ],
    async check(context) {
      await expectSegments(context, await renditionsOf(context, 'any'));
    },
  },
  {
    id: 'MEDIA-3',
    area,
    level,
    clause: '1, 2.3',
    statement: 'The recording of a stream with profiles has renditions to choose from.',
    basis: {
      kind: 'derived',
      because: 'Only a stream without profiles is said to have no adaptive bitrate streaming.',
    },
    needs,
    mutants: ['media-one-rendition-for-profiles', 'media-repeats-one-rendition'],
    async check(context) {
      const playlist = await choiceOf(context, 'profiles');
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
    area,
    level,
    clause: '1, 4.1',
    statement: 'The recording of a stream without profiles has the source rendition alone.',
    basis: stated,
    needs,
    mutants: ['media-transcodes-without-profiles', 'create-adds-default-profiles'],
    async check(context) {
      const playlist = await choiceOf(context, 'plain');
      if ('variants' in playlist && playlist.count > 1) {
        fail(`expected one rendition, got ${playlist.count}`, playlist.response);
      }
    },
  },
  {
    id: 'MEDIA-5',
    area,
    level,
    clause: '2.3',
    statement: 'The segments of the recording last as long as sourceSegmentsDuration says.',
    basis: {
      kind: 'derived',
      because: 'It is the duration of the source segments; a player may cut within a segment.',
    },
    needs,
    mutants: ['media-duration-wrong', 'media-duration-in-milliseconds', 'media-playlist-cut-short'],
    async check(context) {
      const { session } = await context.recording('any');
      expectSameDuration(session, (await fetchRenditionsOf(context, session)).fetched);
    },
  },
  {
    id: 'MEDIA-6',
    area,
    level,
    clause: '2.3',
    statement: 'mp4URL leads to an MP4 file.',
    basis: stated,
    needs,
    mutants: ['media-mp4-missing', 'media-mp4-is-html', 'media-mp4-truncated'],
    async check(context) {
      const { session } = await context.recording('any');
      await fetchMp4(context, session);
    },
  },
  {
    id: 'MEDIA-7',
    area,
    level,
    clause: '2.3',
    statement: 'The MP4 lasts as long as sourceSegmentsDuration says.',
    basis: {
      kind: 'derived',
      because: 'It is a file of the source rendition, whose segments have that duration.',
    },
    needs,
    mutants: ['media-mp4-cut-short'],
    async check(context) {
      const { session } = await context.recording('any');
      await expectWholeMp4(context, session);
    },
  },
  {
    id: 'MEDIA-8',
    area,
    level: 'should',
    clause: '2.2, 2.3',
    statement:
      'The video of a rendition has the size that the playlist says, where both are known.',
    basis: {
      kind: 'derived',
      because: 'A player chooses among renditions by what the playlist says of them.',
    },
    needs,
    mutants: ['media-states-larger-sizes'],
    async check(context) {
      const videos = await readVideos(context, (await renditionsOf(context, 'any')).fetched);
      if (videos.length > 1 && countFiles(videos) === 1) {
        throw new Blocked('renditions of different files; see MEDIA-9');
      }
      if (videos.every(({ sizes }) => sizes.length === 0)) {
        context.observe('MEDIA-8 could read no video');
      }
      videos.forEach(({ rendition: { resolution, response }, sizes }, index) => {
        const [shown] = sizes.toReversed();
        if (!resolution || !shown || sizes.some((size) => isNear(size, resolution))) return;
        fail(
          `rendition ${index + 1}: expected video of ${describe(resolution)}, as RESOLUTION in the playlist says, got ${describe(shown)}`,
          response,
        );
      });
    },
  },
  {
    id: 'MEDIA-9',
    area,
    level: 'should',
    clause: '1, 2.2',
    statement: 'The renditions of a recording of a stream with profiles are different files.',
    basis: {
      kind: 'derived',
      because: 'A profile has a size and a bitrate of its own, so what it makes differs.',
    },
    needs,
    mutants: ['media-serves-source-for-every-rendition'],
    async check(context) {
      const { response, fetched } = await renditionsOf(context, 'profiles');
      const renditions = [...new Map(fetched.map((one) => [one.url, one])).values()];
      if (renditions.length < 2) {
        throw new Blocked('a recording with several renditions; see MEDIA-3');
      }
      if (countFiles(await readVideos(context, renditions)) === 1) {
        fail(
          `expected different files behind the ${renditions.length} renditions, got the same first segment in all`,
          response,
        );
      }
    },
  },
];

async function renditionsOf(context: CheckContext, kind: RecordingKind): Promise<Renditions> {
  const { session } = await context.recording(kind);
  return fetchRenditionsOf(context, session);
}

async function choiceOf(context: CheckContext, kind: RecordingKind): Promise<Choice | Rendition> {
  const { session } = await context.recording(kind);
  return fetchPlaylistOf(context, session);
}

function countFiles(videos: readonly RenditionVideo[]): number {
  return new Set(videos.map(({ digest }) => digest)).size;
}

/** Encoders round sizes to whole blocks. */
const block = 16;

function isNear(size: Size, stated: Size): boolean {
  return (
    Math.abs(size.width - stated.width) < block && Math.abs(size.height - stated.height) < block
  );
}

function describe({ width, height }: Size): string {
  return `${width}x${height}`;
}
