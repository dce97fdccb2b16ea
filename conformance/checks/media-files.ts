import { expectStatus, fail } from '../expectations.ts';
import type { Lab } from '../lab.ts';

/** One rendition of a recording. */
export interface Rendition {
  readonly url: string;
  readonly segments: readonly { readonly url: string }[];
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
  const { parse } = await import('hls-parser');
  const answer = await lab.media(address, playlistLimit);
  expectStatus(answer, 200);
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
    segments: segments.map(({ uri }) => ({ url: resolve(uri, url) })),
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
    return await new Input({ formats: [MP4], source: new BufferSource(bytes) }).computeDuration();
  } catch (error) {
    return fail(
      `mp4URL: expected an MP4 file, got bytes that are none: ${error instanceof Error ? error.message : error}`,
    );
  }
}
