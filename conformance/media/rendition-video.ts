import { createHash } from 'node:crypto';
import type { FetchMedia, MediaAddress } from '../../target/media/fetch-media.ts';
import type { RecordedRendition, Size } from '../../target/media/fetch-playlist.ts';
import { expectStatus } from '../../target/requests/expectations.ts';
import { asPrecondition } from '../../target/requests/failure.ts';
import { inParallel } from '../../target/requests/scheduling.ts';

/**
 * Reads the beginning of each rendition: its initialization section, if it has one, and its first segment.
 * @throws Blocked if a file cannot be fetched.
 */
export function readVideos(fetch: FetchMedia, renditions: readonly RecordedRendition[]) {
  return inParallel(renditions, 1, async (rendition) => {
    const chunks: Uint8Array[] = [];
    for (const list of [rendition.initializations, rendition.segments]) {
      for (const address of list.slice(0, 1)) chunks.push(await fetchBeginning(fetch, address));
    }
    const bytes = Buffer.concat(chunks);
    /** Equal for renditions that begin with the same bytes. */
    const digest = createHash('sha256').update(bytes).digest('hex');
    return { rendition, digest, sizes: await readSizes(bytes) };
  });
}

function fetchBeginning(fetch: FetchMedia, address: MediaAddress): Promise<Uint8Array> {
  const fetchBytes = async (): Promise<Uint8Array> => {
    const response = await fetch(address, { onChunk: () => {} });
    expectStatus(response, 200, `segment ${address.label}`);
    return response.bytes;
  };
  return asPrecondition('the first segment of each rendition', fetchBytes, 'MEDIA-2');
}

/** Boxes that are hidden from the library: it believes their counts, and reading 2^32 entries would never end. */
const countedBoxes = ['keys', 'pssh'] as const;

function withoutCounts(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes);
  for (const type of countedBoxes) {
    for (let at = copy.indexOf(type); at >= 0; at = copy.indexOf(type, at + 4)) {
      copy.write('free', at);
    }
  }
  return copy;
}

/** The coded and displayed size of the video; empty if it cannot be read. */
async function readSizes(bytes: Uint8Array<ArrayBuffer>): Promise<Size[]> {
  const { BufferSource, Input, Logging, LogLevel, MP4, MPEG_TS } = await import('mediabunny');
  // Otherwise it writes warnings to the console.
  Logging.level = LogLevel.Silent;
  try {
    const input = new Input({
      formats: [MP4, MPEG_TS],
      source: new BufferSource(withoutCounts(bytes)),
    });
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
