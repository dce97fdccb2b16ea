import type { Bytes } from '../messages/response.ts';
import { audioFramesBeside } from './frames.ts';

/** One track of the loop. */
export interface LoopTrack {
  /** RFC 6381 name, for example `avc1.64001f`. */
  readonly codec: string;
  /** The box `avc1` or `mp4a`, which says how to decode the frames (ISO/IEC 14496-12, 8.5.2). */
  readonly sampleEntry: Bytes;
  /** The bytes of each frame. */
  readonly frameSizes: readonly number[];
  /** The frames, one after another. */
  readonly data: Bytes;
}

/** The loop in one size. All sizes have the same sound. */
export interface Loop {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  readonly video: LoopTrack;
  readonly audio: LoopTrack;
}

/** The first `frames` video frames of a loop, and the sound that goes with them. */
export function loopBeginning(
  { video, audio }: Loop,
  frames: number,
): Record<'video' | 'audio', Bytes> {
  return {
    video: video.data.subarray(0, prefixBytes(video, frames)),
    audio: audio.data.subarray(0, prefixBytes(audio, audioFramesBeside(frames))),
  };
}

let loadedLoops: Promise<readonly Loop[]> | undefined;

/** The loop in all sizes, largest first. It is decoded once, when media is first requested. */
export function loadLoops(): Promise<readonly Loop[]> {
  loadedLoops ??= decodeLoops();
  return loadedLoops;
}

/** The size of every stream's source. */
export function sourceLoop(loops: readonly Loop[]): Loop {
  const [largest] = loops;
  if (largest === undefined) throw new Error('fixtures/media/loops.json holds no video');
  return largest;
}

/** The size with the number of pixels nearest to a rendition's. */
export function nearestLoop(
  loops: readonly Loop[],
  size: { readonly width: number; readonly height: number },
): Loop {
  const distance = (loop: Loop): number =>
    Math.abs(Math.log((loop.width * loop.height) / (size.width * size.height)));
  return loops.reduce((best, loop) => (distance(loop) < distance(best) ? loop : best));
}

/** The bytes of the first `count` frames of a track. */
export function prefixBytes(track: LoopTrack, count: number): number {
  return track.frameSizes.slice(0, count).reduce((sum, size) => sum + size, 0);
}

async function decodeLoops(): Promise<readonly Loop[]> {
  const { default: stored } = await import('../../fixtures/media/loops.json');
  const audio = decodeTrack(stored.audio);
  return stored.video.map(({ name: _, width, height, ...video }) => ({
    width,
    height,
    video: decodeTrack(video),
    audio,
  }));
}

/** A track in the file, where bytes are base64. */
type StoredTrack = Record<'codec' | 'sampleEntry' | 'data', string> & Pick<LoopTrack, 'frameSizes'>;

function decodeTrack({ sampleEntry, data, ...track }: StoredTrack): LoopTrack {
  return { ...track, sampleEntry: decodeBase64(sampleEntry), data: decodeBase64(data) };
}

function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
