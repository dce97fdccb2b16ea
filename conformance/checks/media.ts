import { expectStatus, fail, show } from '../expectations.ts';
import type { Lab } from '../lab.ts';
import type { Requirement } from '../requirement.ts';
import { fetchPlaylist, fetchRenditions, type Rendition, readMp4Duration } from './media-files.ts';

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
    async check(lab) {
      await fetchPlaylist(lab, await addressOf(lab, 'recordingUrl'));
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
    async check(lab) {
      for (const { url, initializations, segments } of await renditionsOf(lab, 'any')) {
        if (segments.length === 0) fail(`playlist ${url}: expected segments, got none`);
        for (const part of [...initializations, ...segments]) await expectMedia(lab, part);
      }
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
    async check(lab) {
      const renditions = new Set((await renditionsOf(lab, 'profiles')).map(({ url }) => url));
      if (renditions.size < 2) {
        fail(`expected a multivariant playlist with at least 2 variants, got ${renditions.size}`);
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
    mutants: ['media-transcodes-without-profiles'],
    async check(lab) {
      const renditions = await renditionsOf(lab, 'plain');
      if (renditions.length > 1) fail(`expected one rendition, got ${renditions.length}`);
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
    async check(lab) {
      const { session } = await lab.recording('any');
      for (const { url, duration, tolerance } of await renditionsOf(lab, 'any')) {
        expectDuration(`playlist ${url}`, duration, session['sourceSegmentsDuration'], tolerance);
      }
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
    async check(lab) {
      await mp4Duration(lab);
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
    async check(lab) {
      const { session } = await lab.recording('any');
      const [rendition] = await renditionsOf(lab, 'any');
      const tolerance = rendition?.tolerance ?? 10;
      const duration = await mp4Duration(lab);
      expectDuration('mp4URL', duration, session['sourceSegmentsDuration'], tolerance);
    },
  },
];

async function addressOf(lab: Lab, field: 'recordingUrl' | 'mp4URL'): Promise<string> {
  const { session } = await lab.recording('any');
  const address = session[field];
  return typeof address === 'string' ? address : fail(`${field}: expected an address, got none`);
}

async function renditionsOf(lab: Lab, kind: 'profiles' | 'plain' | 'any'): Promise<Rendition[]> {
  const { session } = await lab.recording(kind);
  const address = session['recordingUrl'];
  if (typeof address !== 'string') fail(`recordingUrl: expected an address, got ${show(address)}`);
  return fetchRenditions(lab, String(address));
}

async function expectMedia(lab: Lab, address: string): Promise<void> {
  const { status, bytes, text } = await lab.media(address);
  if (status !== 200 && status !== 206) {
    fail(`segment ${address}: expected status 200, got ${status}`);
  }
  if (bytes.length === 0) fail(`segment ${address}: expected bytes, got none`);
  // What segments are made of is the target's own affair, but a page is a host's answer for nothing.
  if (bytes.length < longestPage && /^\s*<(!doctype|html)/i.test(text)) {
    fail(`segment ${address}: expected media, got a page of HTML`);
  }
}

const longestPage = 100_000;

async function mp4Duration(lab: Lab): Promise<number> {
  const answer = await lab.media(await addressOf(lab, 'mp4URL'));
  expectStatus(answer, 200);
  return readMp4Duration(answer.bytes);
}

function expectDuration(what: string, seconds: number, expected: unknown, tolerance: number): void {
  if (typeof expected !== 'number' || !(Math.abs(seconds - expected) <= tolerance)) {
    fail(
      `${what}: expected sourceSegmentsDuration, ${show(expected)} s, to within ${tolerance} s, one segment; got ${seconds} s`,
    );
  }
}
