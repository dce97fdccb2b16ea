import type { TargetResponse } from '../target/exchange.ts';
import { expectStatus, fail, show } from '../target/expectations.ts';
import { CheckFailure, NoResponse } from '../target/failure.ts';
import { addressIn, type MediaAddress, playlistLimit } from '../target/fetch-media.ts';
import type { CheckContext } from './check-context.ts';

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
  readonly response: TargetResponse;
  /** The size that the multivariant playlist says it has, in pixels. */
  readonly resolution: Resolution | undefined;
  /** Its first segment, behind the initialization section that this needs. */
  readonly beginning: readonly Part[];
}

interface Resolution {
  readonly width: number;
  readonly height: number;
}

/** A file, or a range of its bytes. */
export interface Part {
  readonly address: MediaAddress;
  readonly range: { readonly offset: number; readonly length: number } | undefined;
}

/** What a multivariant playlist leads to. */
export interface Choice {
  readonly response: TargetResponse;
  /** Of very many, the first. */
  readonly variants: readonly {
    readonly address: MediaAddress;
    readonly resolution: Resolution | undefined;
  }[];
  /** How many there are. */
  readonly count: number;
}

/** The renditions of a recording. */
export interface Renditions {
  /** Of very many, the first. */
  readonly fetched: readonly Rendition[];
  /** How many there are. */
  readonly count: number;
  /** The answer of the playlist that names them. */
  readonly response: TargetResponse;
}

/** Characters of a playlist of segments: one of about a day. A parsed one takes 30 times as much memory. */
const longestPlaylist = 2 * 1024 * 1024;
/** Characters of a multivariant playlist that are read: its lines are compared with each other. */
const choiceRead = 128 * 1024;
const mostRenditions = 20;
/** Bytes of playlists after which no further one is fetched. */
const playlistsRead = 2 * 1024 * 1024;
/** Segments that are fetched of one rendition. */
const mostSegments = 200;

type Parsed = import('hls-parser').types.MasterPlaylist | import('hls-parser').types.MediaPlaylist;

/** Fetches and parses an HLS playlist; `what` it is names it in messages, the same for all checks. */
export async function fetchPlaylist(
  context: CheckContext,
  address: MediaAddress,
  what: string = 'recordingUrl',
): Promise<Choice | Rendition> {
  const { parse, setOptions } = await import('hls-parser');
  // It would write what it finds to the console of whoever runs the suite.
  setOptions({ silent: true });
  const response = await context.media(address, { limit: playlistLimit });
  expectStatus(response, 200, what);
  const { text } = response;
  const expected = (got: string, said: string): never =>
    fail(`${what}: expected an HLS playlist, got ${got}${response.foreign ? '' : said}`, response);
  if (!text.startsWith('#EXTM3U')) expected('something else', `: ${show(text.slice(0, 100))}`);
  const tags = [...text.matchAll(/^#EXT-X-STREAM-INF:/gm)].map(({ index }) => index);
  if (tags.length === 0 && text.length > longestPlaylist) {
    throw new NoResponse(`${what}: expected a playlist of at most ${longestPlaylist} characters`);
  }
  const end =
    tags.length === 0 ? text.length : Math.min(tags[mostRenditions] ?? choiceRead, choiceRead);
  try {
    const playlist = parse(text.slice(0, end)) as Parsed;
    return 'variants' in playlist
      ? readChoice(playlist.variants, tags.length, response)
      : readRendition(playlist.segments, response);
  } catch (error) {
    if (error instanceof CheckFailure) throw error;
    return expected(
      'one that does not parse',
      `: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function readChoice(
  variants: readonly import('hls-parser').types.Variant[],
  count: number,
  response: TargetResponse,
): Choice {
  const read = variants.map(({ uri, resolution }, index) => ({
    address: addressIn(response, uri, `rendition ${index + 1}`),
    resolution,
  }));
  return { response, variants: read, count };
}

/** The renditions that a playlist leads to: those of a multivariant one, or itself. */
export async function fetchRenditions(
  context: CheckContext,
  playlist: Choice | Rendition,
): Promise<Renditions> {
  const { response } = playlist;
  if (!('variants' in playlist)) return { fetched: [playlist], count: 1, response };
  const fetched: Rendition[] = [];
  let read = 0;
  for (const [index, { address, resolution }] of playlist.variants.entries()) {
    const what = `rendition ${index + 1}`;
    const rendition = await fetchPlaylist(context, address, what);
    if ('variants' in rendition) {
      return fail(`${what}: expected a media playlist, got another`, rendition.response);
    }
    fetched.push({ ...rendition, resolution });
    read += rendition.response.bytes.length;
    if (read > playlistsRead) break;
  }
  return { fetched, count: playlist.count, response };
}

function readRendition(
  segments: readonly import('hls-parser').types.Segment[],
  response: TargetResponse,
): Rendition {
  const durations = segments.map(({ duration }) => duration);
  const uris = [...new Set(segments.map(({ uri }) => uri))];
  const maps = [...new Set(segments.flatMap(({ map }) => map?.uri || []))];
  const spread = (from: readonly string[], what: string): MediaAddress[] =>
    spreadIndexes(from.length).map((index) =>
      addressIn(response, String(from[index]), `${what} ${index + 1}`),
    );
  return {
    url: response.url,
    shown: response.shown,
    segments: spread(uris, 'segment'),
    initializations: spread(maps, 'initialization section'),
    segmentCount: uris.length,
    duration: durations.reduce((sum, duration) => sum + duration, 0),
    tolerance: durations.reduce((longest, duration) => Math.max(longest, duration), 0),
    response,
    resolution: undefined,
    beginning: segments
      .slice(0, 1)
      .flatMap((segment) => [
        ...(segment.map?.uri ? [partOf(response, segment.map, 'initialization section')] : []),
        partOf(response, segment, 'segment 1'),
      ]),
  };
}

function partOf(
  response: TargetResponse,
  { uri, byterange }: { readonly uri: string; readonly byterange?: Part['range'] },
  what: string,
): Part {
  return { address: addressIn(response, uri, what), range: byterange };
}

/** Indexes from the first to the last, with equal steps where there are very many. */
function spreadIndexes(length: number): number[] {
  const step = Math.max(1, (length - 1) / (mostSegments - 1));
  const count = Math.min(length, mostSegments);
  return Array.from({ length: count }, (_, index) => Math.round(index * step));
}
