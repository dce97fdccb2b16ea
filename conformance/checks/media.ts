import type { Answer } from '../exchange.ts';
import { expectStatus, fail, type JsonObject, show } from '../expectations.ts';
import { asGiven, type MediaAddress } from '../fetch-media.ts';
import type { Lab } from '../lab.ts';
import type { Requirement } from '../requirement.ts';
import { fetchPlaylist, fetchRenditions } from './media-files.ts';
import { readMp4 } from './mp4.ts';

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
      await playlistOf(lab, 'any');
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
      const { fetched, count } = await renditionsOf(lab, 'any');
      if (fetched.length < count) {
        lab.observe(`MEDIA-2 fetched ${fetched.length} of ${count} renditions`);
      }
      for (const { shown, initializations, segments, segmentCount, answer } of fetched) {
        if (segments.length === 0) fail(`playlist ${shown}: expected segments, got none`, answer);
        if (segments.length < segmentCount) {
          lab.observe(`MEDIA-2 fetched ${segments.length} of ${segmentCount} segments of ${shown}`);
        }
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
      const playlist = await playlistOf(lab, 'profiles');
      const variants = 'variants' in playlist ? playlist.variants : [];
      const { size } = new Set(variants.map(({ href }) => href));
      if (size < 2) {
        fail(
          `expected a multivariant playlist with at least 2 variants, got ${size}`,
          playlist.answer,
        );
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
      const playlist = await playlistOf(lab, 'plain');
      if ('variants' in playlist && playlist.count > 1) {
        fail(`expected one rendition, got ${playlist.count}`, playlist.answer);
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
    async check(lab) {
      const { session } = await lab.recording('any');
      for (const rendition of (await renditionsOf(lab, 'any')).fetched) {
        const { shown, duration, tolerance, answer } = rendition;
        expectDuration(`playlist ${shown}`, { duration, answer }, session, tolerance);
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
      await mp4Of(lab, 'any');
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
      const [rendition] = (await renditionsOf(lab, 'any')).fetched;
      const tolerance = rendition?.tolerance ?? 10;
      expectDuration('mp4URL', await mp4Of(lab, 'any'), session, tolerance);
    },
  },
];

type Field = 'recordingUrl' | 'mp4URL';
type Kind = Parameters<Lab['recording']>[0];

function addressOf(session: JsonObject, field: Field): MediaAddress {
  const address = session[field];
  return typeof address === 'string'
    ? asGiven(address)
    : fail(`${field}: expected an address, got ${show(address)}`, session);
}

const playlistOf = onceForSession((lab, session) =>
  fetchPlaylist(lab, addressOf(session, 'recordingUrl')),
);

const renditionsOf = onceForSession(async (lab, _, kind) =>
  fetchRenditions(lab, await playlistOf(lab, kind)),
);

const mp4Of = onceForSession(async (lab, session) => {
  const reader = readMp4();
  const answer = await lab.media(addressOf(session, 'mp4URL'), { onChunk: reader.take });
  expectStatus(answer, 200);
  return { duration: reader.duration(answer), answer };
});

/** Large media is fetched once in a run: all checks are given the same object for a session. */
function onceForSession<Value>(
  fetch: (lab: Lab, session: JsonObject, kind: Kind) => Promise<Value>,
): (lab: Lab, kind: Kind) => Promise<Value> {
  const fetched = new WeakMap<JsonObject, Promise<Value>>();
  return async (lab, kind) => {
    const { session } = await lab.recording(kind);
    const value = fetched.get(session) ?? fetch(lab, session, kind);
    fetched.set(session, value);
    return value;
  };
}

async function expectMedia(lab: Lab, address: MediaAddress): Promise<void> {
  let length = 0;
  const answer = await lab.media(address, { onChunk: (chunk) => (length += chunk.length) });
  if (answer.status !== 200 && answer.status !== 206) {
    fail(`${address.shown}: expected status 200, got ${answer.status}`, answer);
  }
  if (length === 0) fail(`${address.shown}: expected bytes, got none`, answer);
  // What segments are made of is the target's own affair, but a page is a host's answer for nothing.
  if (length < longestPage && /^\s*<(!doctype|html)/i.test(answer.text)) {
    fail(`${address.shown}: expected media, got a page of HTML`, answer);
  }
}

const longestPage = 100_000;

function expectDuration(
  what: string,
  { duration, answer }: { readonly duration: number; readonly answer: Answer },
  session: JsonObject,
  tolerance: number,
): void {
  const expected = session['sourceSegmentsDuration'];
  if (typeof expected !== 'number' || !(Math.abs(duration - expected) <= tolerance)) {
    fail(
      `${what}: expected sourceSegmentsDuration, ${show(expected)} s, to within ${tolerance} s, one segment; got ${duration} s`,
      answer,
      session,
    );
  }
}
