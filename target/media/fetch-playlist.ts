import { parse, setOptions, type types } from 'hls-parser';
import type { TargetResponse } from '../requests/exchange.ts';
import { expectStatus } from '../requests/expectations.ts';
import { fail, NoResponse } from '../requests/failure.ts';
import { quoteBody } from '../requests/shown-body.ts';
import { addressIn, type FetchMedia, type MediaAddress } from './fetch-media.ts';

/** One rendition of a recording. */
export type RecordedRendition = ReturnType<typeof readRendition>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A playlist of renditions. */
export type MultivariantPlaylist = ReturnType<typeof readVariants>;

/** The renditions of a recording. */
export type Renditions = Awaited<ReturnType<typeof fetchRenditions>>;

/** Maximum length of a multivariant playlist, as the parser compares every line with every other. */
const longestMultivariant = 128 * 1024;
const maxRenditions = 20;
/** How many segments of a rendition are fetched. */
const maxSegments = 200;

// Otherwise the parser writes warnings to the console.
setOptions({ silent: true });

/**
 * Fetches and parses an HLS playlist. Messages call it `name`.
 * @throws CheckFailure or NoResponse if that fails.
 */
export async function fetchPlaylist(
  fetch: FetchMedia,
  address: MediaAddress,
  name: string,
): Promise<MultivariantPlaylist | RecordedRendition> {
  const response = await fetch(address);
  expectStatus(response, 200, name);
  const { text } = response;
  const expected = (got: string, quote: string): never =>
    fail(`${name}: expected an HLS playlist, got ${got}${response.foreign ? '' : quote}`, response);
  if (!text.startsWith('#EXTM3U')) expected('something else', `: ${quoteBody(text)}`);
  if (/^#EXT-X-STREAM-INF:/m.test(text) && text.length > longestMultivariant) {
    throw new NoResponse(
      `${name}: expected a multivariant playlist of at most ${longestMultivariant} characters`,
    );
  }
  let playlist: types.MasterPlaylist | types.MediaPlaylist;
  try {
    playlist = parse(text) as typeof playlist;
  } catch (exception) {
    return expected('text that cannot be parsed', `: ${(exception as Error).message}`);
  }
  return 'variants' in playlist
    ? readVariants(playlist.variants, name, response)
    : readRendition(playlist.segments, response);
}

/** The first 20 variants of a playlist, and how many there are. */
function readVariants(
  allVariants: readonly types.Variant[],
  name: string,
  response: TargetResponse,
) {
  if (allVariants.length === 0) {
    fail(`${name}: expected an HLS playlist, got one without renditions and segments`, response);
  }
  const variants = allVariants.slice(0, maxRenditions).map(({ uri, resolution }, index) => ({
    address: addressIn(response, uri, `rendition ${index + 1}`),
    resolution,
  }));
  return { response, variants, count: allVariants.length };
}

/**
 * The first 20 renditions of a playlist, how many there are, and the response with the playlist that names them.
 * A media playlist is its own only rendition.
 */
export async function fetchRenditions(
  fetch: FetchMedia,
  playlist: MultivariantPlaylist | RecordedRendition,
) {
  const { response } = playlist;
  if (!('variants' in playlist)) return { fetched: [playlist], count: 1, response };
  const fetched: RecordedRendition[] = [];
  for (const [index, { address, resolution }] of playlist.variants.entries()) {
    const name = `rendition ${index + 1}`;
    const rendition = await fetchPlaylist(fetch, address, name);
    if ('variants' in rendition) {
      return fail(`${name}: expected a media playlist, got a multivariant one`, rendition.response);
    }
    fetched.push({ ...rendition, resolution });
  }
  return { fetched, count: playlist.count, response };
}

function readRendition(listedSegments: readonly types.Segment[], response: TargetResponse) {
  const durations = listedSegments.map(({ duration }) => duration);
  const uris = [...new Set(listedSegments.map(({ uri }) => uri))];
  const maps = [...new Set(listedSegments.flatMap(({ map }) => map?.uri || []))];
  const firstAddresses = (uris: readonly string[], kind: string): MediaAddress[] =>
    uris
      .slice(0, maxSegments)
      .map((uri, index) => addressIn(response, uri, `${kind} ${index + 1}`));
  return {
    /** Its first 200 segments, and their initialization sections. */
    segments: firstAddresses(uris, 'segment'),
    initializations: firstAddresses(maps, 'initialization section'),
    /** How many segments with different addresses it has. */
    segmentCount: uris.length,
    /** Seconds. */
    duration: Number(durations.reduce((sum, duration) => sum + duration, 0).toFixed(3)),
    /** By how many seconds the duration may be off, as a playlist may state whole seconds for each segment. */
    rounding: durations.every(Number.isInteger) ? durations.length / 2 : 0,
    /** The length of its longest segment, in seconds. */
    tolerance: durations.reduce((longest, duration) => Math.max(longest, duration), 0),
    response,
    /** Its size in pixels, as the multivariant playlist states it. */
    resolution: undefined as Size | undefined,
  };
}
