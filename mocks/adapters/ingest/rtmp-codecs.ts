import type { Incoming } from '../../state/ingest.ts';

/** What a message with video tells: its codec, if it is known, and how many frames it completes. */
export interface VideoFacts extends Pick<Incoming, 'videoCodec'> {
  readonly frames: 0 | 1;
}

/** Codecs by the number in the first byte of a message, as in FLV files. Some encoders send HEVC with a number, too. */
const numberedVideo: Readonly<Record<number, string>> = { 2: 'H.263', 7: 'H.264', 12: 'HEVC' };
const numberedAudio: Readonly<Record<number, string>> = { 2: 'MP3', 10: 'AAC' };

/** Codecs by their names of four characters, which enhanced RTMP brought: https://veovera.org/docs/enhanced/ */
const namedCodecs: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'HEVC',
  vvc1: 'VVC',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4a: 'AAC',
  '.mp3': 'MP3',
  Opus: 'Opus',
  fLaC: 'FLAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
};

/** The types of a packet of enhanced RTMP that matter here. Those of audio and video differ only in multitrack. */
const packetTypes = {
  codedFrames: 1,
  codedFramesX: 3,
  audioMultitrack: 5,
  videoMultitrack: 6,
  modified: 7,
};

/** Reads what a message with video begins with. */
export function readVideo(data: Buffer): VideoFacts {
  const first = data[0] ?? 0;
  const isEnhanced = first >= 0x80;
  const frameType = (first >> 4) & 7;
  // A message of this type is a command.
  if (frameType === 5) return { frames: 0 };
  if (!isEnhanced) {
    // Parameters of the codec come before the frames.
    return { videoCodec: numberedVideo[first & 15], frames: data[1] === 1 ? 1 : 0 };
  }
  const { name, packetType } = readPacket(data, packetTypes.videoMultitrack);
  const { codedFrames, codedFramesX } = packetTypes;
  const hasFrame = packetType === codedFrames || packetType === codedFramesX;
  return { videoCodec: namedCodecs[name], frames: hasFrame ? 1 : 0 };
}

/** Reads what a message with audio begins with. */
export function readAudio(data: Buffer): Pick<Incoming, 'audioCodec'> {
  const format = (data[0] ?? 0) >> 4;
  if (format !== 9) return { audioCodec: numberedAudio[format] };
  return { audioCodec: namedCodecs[readPacket(data, packetTypes.audioMultitrack).name] };
}

/** The type of a packet of enhanced RTMP, and the name of the codec of its first track. */
function readPacket(data: Buffer, multitrack: number): { packetType: number; name: string } {
  let packetType = (data[0] ?? 0) & 15;
  let at = 1;
  while (packetType === packetTypes.modified && at < data.length) {
    // The size of a modification, less one, is in one byte, or in the two after it.
    const shortSize = data.readUInt8(at);
    const isShort = shortSize < 255;
    at += isShort ? 2 + shortSize : 4 + data.readUInt16BE(at + 1);
    packetType = (data[at] ?? 0) & 15;
    at += 1;
  }
  if (packetType === multitrack) {
    packetType = (data[at] ?? 0) & 15;
    at += 1;
  }
  return { packetType, name: data.toString('latin1', at, at + 4) };
}
