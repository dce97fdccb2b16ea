import { createHash } from 'node:crypto';
import { expectStatus } from '../target/expectations.ts';
import { Blocked, CheckFailure, NoResponse } from '../target/failure.ts';
import type { CheckContext } from './check-context.ts';
import type { Part, Rendition } from './playlist.ts';

/** The beginning of a rendition. */
export interface RenditionVideo {
  readonly rendition: Rendition;
  /** The same for two renditions that begin with the same bytes. */
  readonly digest: string;
  /** Its video's coded and displayed size; empty if no video can be read. */
  readonly sizes: readonly Size[];
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the first segment of each rendition, with the initialization section that it needs.
 * @throws Blocked if one cannot be fetched
 */
export async function readVideos(
  context: CheckContext,
  renditions: readonly Rendition[],
): Promise<RenditionVideo[]> {
  const videos: RenditionVideo[] = [];
  for (const rendition of renditions) {
    const parts: Uint8Array[] = [];
    for (const part of rendition.beginning) parts.push(await fetchPart(context, part));
    const bytes = Buffer.concat(parts);
    const digest = createHash('sha256').update(bytes).digest('hex');
    videos.push({ rendition, digest, sizes: await readSizes(bytes) });
  }
  return videos;
}

async function fetchPart(context: CheckContext, { address, range }: Part): Promise<Uint8Array> {
  try {
    const response = await context.media(address);
    expectStatus(response, 200, `segment ${address.shown}`);
    return range
      ? response.bytes.subarray(range.offset, range.offset + range.length)
      : response.bytes;
  } catch (error) {
    if (!(error instanceof CheckFailure || error instanceof NoResponse)) throw error;
    throw new Blocked(`the first segment of each rendition: ${error.message}; see MEDIA-2`);
  }
}

async function readSizes(bytes: Uint8Array<ArrayBuffer>): Promise<Size[]> {
  const { BufferSource, Input, Logging, LogLevel, MP4, MPEG_TS } = await import('mediabunny');
  // It would write its warnings to the console.
  Logging.level = LogLevel.Silent;
  try {
    const input = new Input({ formats: [MP4, MPEG_TS], source: new BufferSource(bytes) });
    const [track] = await input.getVideoTracks();
    if (track === undefined) return [];
    return [
      { width: await track.getCodedWidth(), height: await track.getCodedHeight() },
      { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() },
    ];
  } catch {
    // The interface leaves the format of segments open.
    return [];
  }
}
