import { expectStatus, fail, show } from '../expectations.ts';
import { CheckFailure } from '../failure.ts';
import type { Lab } from '../lab.ts';

/** One rendition of a recording. */
export interface Rendition {
  readonly url: string;
  /** Addresses of its segments, and of the initialization sections that these need. */
  readonly segments: readonly string[];
  readonly initializations: readonly string[];
  /** Seconds. */
  readonly duration: number;
  /** Length of its longest segment in seconds. */
  readonly tolerance: number;
}

/** Bytes of a playlist of more than a day. */
const playlistLimit = 4 * 1024 * 1024;

type Playlist =
  | import('hls-parser').types.MasterPlaylist
  | import('hls-parser').types.MediaPlaylist;

/** Fetches and parses an HLS playlist; `url` is where it was found in the end. */
export async function fetchPlaylist(
  lab: Lab,
  address: string,
): Promise<{ playlist: Playlist; url: string }> {
  const { parse, setOptions } = await import('hls-parser');
  // It would write what it finds to the console of whoever runs the suite.
  setOptions({ silent: true });
  const answer = await lab.media(address, playlistLimit);
  expectStatus(answer, 200);
  if (!answer.text.startsWith('#EXTM3U')) {
    fail(`${address}: expected an HLS playlist, got ${show(answer.text.slice(0, 100))}`);
  }
  try {
    return { playlist: parse(answer.text) as Playlist, url: answer.url };
  } catch (error) {
    return fail(
      `${address}: expected an HLS playlist, got one that does not parse: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** The renditions of a recording: those of a multivariant playlist, or the one of a media playlist. */
export async function fetchRenditions(lab: Lab, address: string): Promise<Rendition[]> {
  const { playlist, url } = await fetchPlaylist(lab, address);
  if (!('variants' in playlist)) return [readRendition(playlist, url)];
  const renditions: Rendition[] = [];
  for (const { uri } of playlist.variants) {
    const variant = await fetchPlaylist(lab, resolve(uri, url));
    renditions.push(readRendition(variant.playlist, variant.url));
  }
  return renditions;
}

function readRendition(playlist: Playlist, url: string): Rendition {
  if ('variants' in playlist) return fail(`${url}: expected a media playlist, got another`);
  const { segments } = playlist;
  const durations = segments.map(({ duration }) => duration);
  return {
    url,
    segments: segments.map(({ uri }) => resolve(uri, url)),
    initializations: [
      ...new Set(segments.flatMap(({ map }) => (map?.uri ? [resolve(map.uri, url)] : []))),
    ],
    duration: durations.reduce((sum, duration) => sum + duration, 0),
    tolerance: durations.reduce((longest, duration) => Math.max(longest, duration), 0),
  };
}

function resolve(uri: string, base: string): string {
  return URL.canParse(uri, base)
    ? new URL(uri, base).href
    : fail(`${base}: expected URIs, got one that is none`);
}

/** The duration of an MP4 in seconds. */
export async function readMp4Duration(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const { BufferSource, Input, MP4 } = await import('mediabunny');
  try {
    const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
    const duration = await input.computeDuration();
    expectWhole(bytes);
    return duration;
  } catch (error) {
    if (error instanceof CheckFailure) throw error;
    return fail(
      `mp4URL: expected an MP4 file, got bytes that are none: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** An MP4 is a row of boxes that begin with their size; one that was cut off ends within a box. */
function expectWhole(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 16 <= bytes.length) {
    const short = view.getUint32(at);
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    if (size < 8) return; // 0: to the end of the file, whatever its length.
    at += size;
  }
  if (at > bytes.length) {
    fail(`mp4URL: expected a whole file of ${at} bytes at least, got ${bytes.length} of them`);
  }
}
