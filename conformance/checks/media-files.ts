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
  /** The size that the multivariant playlist says it has, in pixels. */
  readonly resolution: { readonly width: number; readonly height: number } | undefined;
  /** Its first segment, behind the initialization section that this needs. */
  readonly beginning: readonly Part[];
}

/** A file, or a range of its bytes. */
export interface Part {
  readonly address: MediaAddress;
  readonly range: { readonly offset: number; readonly length: number } | undefined;
}

/** The renditions of a recording. */
export interface Renditions {
  /** Of very many, the first. */
  readonly fetched: readonly Rendition[];
  /** How many there are. */
  readonly count: number;
  /** The answer of the playlist that names them. */
  readonly answer: Answer;
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

/** Fetches and parses an HLS playlist; `what` it is names it in messages, the same for all checks. */
export async function fetchPlaylist(
  lab: Lab,
  address: MediaAddress,
  what: string = 'recordingUrl',
): Promise<FetchedPlaylist> {
  const { parse, setOptions } = await import('hls-parser');
  // It would write what it finds to the console of whoever runs the suite.
  setOptions({ silent: true });
  const answer = await lab.media(address, { limit: playlistLimit });
  expectStatus(answer, 200, what);
  const { text, foreign } = answer;
  if (!text.startsWith('#EXTM3U')) {
    const got = foreign ? 'something else' : show(text.slice(0, 100));
    fail(`${what}: expected an HLS playlist, got ${got}`, answer);
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
    return fail(`${what}: expected an HLS playlist, got one that does not parse${why}`, answer);
  }
}

/** The renditions of a recording: those of a multivariant playlist, or the one of a media playlist. */
export async function fetchRenditions(lab: Lab, address: MediaAddress): Promise<Renditions> {
  const { playlist, answer, variantCount } = await fetchPlaylist(lab, address);
  if (!('variants' in playlist)) {
    return { fetched: [readRendition(playlist, answer)], count: 1, answer };
  }
  const fetched: Rendition[] = [];
  let read = answer.bytes.length;
  for (const [index, { uri, resolution }] of playlist.variants.entries()) {
    if (read > playlistsRead) break;
    const what = `rendition ${index + 1}`;
    const variant = await fetchPlaylist(lab, addressIn(answer, uri, what), what);
    fetched.push(readRendition(variant.playlist, variant.answer, resolution));
    read += variant.answer.bytes.length;
  }
  return { fetched, count: variantCount, answer };
}

function readRendition(
  playlist: Playlist,
  answer: Answer,
  resolution?: Rendition['resolution'],
): Rendition {
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
    resolution,
    beginning: segments
      .slice(0, 1)
      .flatMap((segment) => [
        ...(segment.map?.uri ? [partOf(answer, segment.map, 'initialization section')] : []),
        partOf(answer, segment, 'segment 1'),
      ]),
  };
}

function partOf(
  answer: Answer,
  { uri, byterange }: { readonly uri: string; readonly byterange?: Part['range'] },
  what: string,
): Part {
  return { address: addressIn(answer, uri, what), range: byterange };
}

/** Indexes from the first to the last, with equal steps where there are very many. */
function spreadIndexes(length: number): number[] {
  const step = Math.max(1, (length - 1) / (mostSegments - 1));
  const count = Math.min(length, mostSegments);
  return Array.from({ length: count }, (_, index) => Math.round(index * step));
}
