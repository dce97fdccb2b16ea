import type { Answer } from '../exchange.ts';
import { expectStatus, fail, show } from '../expectations.ts';
import { addressIn, type MediaAddress } from '../fetch-media.ts';
import type { Lab } from '../lab.ts';

/** One rendition of a recording. */
export interface Rendition {
  readonly url: string;
  /** How messages name it. */
  readonly shown: string;
  /** Its segments, and the initialization sections that these need: of very many, some, spread evenly. */
  readonly segments: readonly MediaAddress[];
  readonly initializations: readonly MediaAddress[];
  /** How many segments it has that differ in their address. */
  readonly segmentCount: number;
  /** Seconds. */
  readonly duration: number;
  /** Length of its longest segment in seconds. */
  readonly tolerance: number;
  readonly answer: Answer;
}

/** The renditions of a recording. */
export interface Renditions {
  /** Of very many, the first. */
  readonly fetched: readonly Rendition[];
  /** How many there are. */
  readonly count: number;
}

/** Bytes of a playlist of more than a day. */
const playlistLimit = 4 * 1024 * 1024;
/** Characters of a multivariant playlist that are read: the parser compares each line with every other. */
const choiceRead = 128 * 1024;
const mostRenditions = 20;
/** Bytes of all playlists of a recording, after which no further one is fetched. */
const playlistsRead = 8 * 1024 * 1024;
/** Segments that are fetched of one rendition. */
const mostSegments = 200;

type Playlist =
  | import('hls-parser').types.MasterPlaylist
  | import('hls-parser').types.MediaPlaylist;

interface FetchedPlaylist {
  readonly playlist: Playlist;
  readonly answer: Answer;
  /** How many variants its text has, of which the first are in `playlist`. */
  readonly variantCount: number;
}

/** Fetches and parses an HLS playlist. */
export async function fetchPlaylist(lab: Lab, address: MediaAddress): Promise<FetchedPlaylist> {
  const { parse, setOptions } = await import('hls-parser');
  // It would write what it finds to the console of whoever runs the suite.
  setOptions({ silent: true });
  const answer = await lab.media(address, { limit: playlistLimit });
  expectStatus(answer, 200);
  const { text, shown, foreign } = answer;
  if (!text.startsWith('#EXTM3U')) {
    const got = foreign ? 'something else' : show(text.slice(0, 100));
    fail(`${shown}: expected an HLS playlist, got ${got}`, answer);
  }
  const variants = [...text.matchAll(/^#EXT-X-STREAM-INF:/gm)].map(({ index }) => index);
  const end =
    variants.length === 0
      ? undefined
      : Math.min(variants[mostRenditions] ?? choiceRead, choiceRead);
  try {
    const playlist = parse(text.slice(0, end)) as Playlist;
    return { playlist, answer, variantCount: variants.length };
  } catch (error) {
    const why = foreign ? '' : `: ${error instanceof Error ? error.message : error}`;
    return fail(`${shown}: expected an HLS playlist, got one that does not parse${why}`, answer);
  }
}

/** The renditions of a recording: those of a multivariant playlist, or the one of a media playlist. */
export async function fetchRenditions(lab: Lab, address: MediaAddress): Promise<Renditions> {
  const { playlist, answer, variantCount } = await fetchPlaylist(lab, address);
  if (!('variants' in playlist)) return { fetched: [readRendition(playlist, answer)], count: 1 };
  const fetched: Rendition[] = [];
  let read = answer.bytes.length;
  for (const [index, { uri }] of playlist.variants.entries()) {
    if (read > playlistsRead) break;
    const variant = await fetchPlaylist(lab, addressIn(answer, uri, `rendition ${index + 1}`));
    fetched.push(readRendition(variant.playlist, variant.answer));
    read += variant.answer.bytes.length;
  }
  return { fetched, count: variantCount };
}

function readRendition(playlist: Playlist, answer: Answer): Rendition {
  const { url, shown } = answer;
  if ('variants' in playlist) {
    return fail(`${shown}: expected a media playlist, got another`, answer);
  }
  const { segments } = playlist;
  const durations = segments.map(({ duration }) => duration);
  const uris = [...new Set(segments.map(({ uri }) => uri))];
  const maps = [...new Set(segments.flatMap(({ map }) => map?.uri || []))];
  const spread = (from: readonly string[], what: string): MediaAddress[] =>
    spreadIndexes(from.length).map((index) =>
      addressIn(answer, String(from[index]), `${what} ${index + 1}`),
    );
  return {
    url,
    shown,
    segments: spread(uris, 'segment'),
    initializations: spread(maps, 'initialization section'),
    segmentCount: uris.length,
    duration: durations.reduce((sum, duration) => sum + duration, 0),
    tolerance: durations.reduce((longest, duration) => Math.max(longest, duration), 0),
    answer,
  };
}

/** Indexes from the first to the last, with equal steps where there are very many. */
function spreadIndexes(length: number): number[] {
  const step = Math.max(1, (length - 1) / (mostSegments - 1));
  const count = Math.min(length, mostSegments);
  return Array.from({ length: count }, (_, index) => Math.round(index * step));
}
