import type { MediaFacts } from './broadcasts.ts';

/*
 * What messages of RTMP say of their media, which is as in FLV files; newer codecs have four characters:
 * https://veovera.org/docs/enhanced/enhanced-rtmp-v2
 */

const codecs: Readonly<Record<'video' | 'audio', Readonly<Record<string, string>>>> = {
  video: { 7: 'H.264', 12: 'HEVC', avc1: 'H.264', hvc1: 'HEVC', av01: 'AV1', vp09: 'VP9' },
  audio: { 2: 'MP3', 10: 'AAC', '.mp3': 'MP3', mp4a: 'AAC', Opus: 'Opus', fLaC: 'FLAC' },
};

/** The codec of a message with video. */
export function readVideo(data: Buffer): MediaFacts {
  const [first = 0] = data;
  return { videoCodec: codecs.video[first < 0x80 ? first & 0x0f : fourCharacters(data)] };
}

/** The codec of a message with audio. */
export function readAudio(data: Buffer): MediaFacts {
  const format = (data[0] ?? 0) >> 4;
  return { audioCodec: codecs.audio[format === 9 ? fourCharacters(data) : format] };
}

function fourCharacters(data: Buffer): string {
  return data.toString('latin1', 1, 5);
}

/** The size of the picture, of what an encoder says of its media. */
export function readMetadata(metadata: unknown): MediaFacts {
  const { width, height } = Object(metadata) as Record<string, unknown>;
  return isSize(width) && isSize(height) ? { width, height } : {};
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
}
