import { expect, test } from 'vitest';
import { readAudio, readVideo } from './rtmp-codecs.ts';

/** A message that begins with some bytes, and goes on with texts and bytes. */
function message(...parts: readonly (number | string)[]): Buffer {
  const pieces = parts.map((part) =>
    typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part, 'latin1'),
  );
  return Buffer.concat([...pieces, Buffer.alloc(20)]);
}

const longModification = 'm'.repeat(300);

test.each([
  ['H.264 as in FLV, its parameters', message(0x17, 0), 'H.264', 0],
  ['H.264 as in FLV, a key frame', message(0x17, 1), 'H.264', 1],
  ['H.264 as in FLV, another frame', message(0x27, 1), 'H.264', 1],
  ['HEVC with a number', message(0x1c, 1), 'HEVC', 1],
  ['a codec with an unknown number', message(0x1f, 1), undefined, 1],
  ['HEVC, its parameters', message(0x90, 'hvc1'), 'HEVC', 0],
  ['HEVC, a key frame', message(0x91, 'hvc1'), 'HEVC', 1],
  ['HEVC, a frame without an offset', message(0xa3, 'hvc1'), 'HEVC', 1],
  ['AV1', message(0x91, 'av01'), 'AV1', 1],
  ['VP9', message(0x91, 'vp09'), 'VP9', 1],
  ['VP8', message(0xa1, 'vp08'), 'VP8', 1],
  ['H.264 with a name', message(0x91, 'avc1'), 'H.264', 1],
  ['several tracks of one codec', message(0x96, 0x11, 'av01'), 'AV1', 1],
  ['a modification', message(0x97, 2, 'mmm', 0x01, 'hvc1'), 'HEVC', 1],
  [
    'a long modification',
    message(0x97, 255, 300 >> 8, (300 & 255) - 1, longModification, 0x01, 'hvc1'),
    'HEVC',
    1,
  ],
  ['metadata of colours', message(0x94, 'hvc1'), 'HEVC', 0],
  ['a codec with an unknown name', message(0x91, 'zzzz'), undefined, 1],
  ['a command', message(0x57, 0), undefined, 0],
  ['nothing', Buffer.alloc(0), undefined, 0],
] as const)('video is recognized: %s', (_, data, videoCodec, frames) => {
  expect(readVideo(data)).toEqual({ videoCodec, frames });
});

test.each([
  ['AAC as in FLV', message(0xaf, 1), 'AAC'],
  ['MP3 as in FLV', message(0x2f), 'MP3'],
  ['Opus', message(0x91, 'Opus'), 'Opus'],
  ['AAC with a name', message(0x90, 'mp4a'), 'AAC'],
  ['several tracks', message(0x95, 0x11, 'ac-3'), 'AC-3'],
  ['a codec with an unknown name', message(0x91, 'zzzz'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
] as const)('audio is recognized: %s', (_, data, audioCodec) => {
  expect(readAudio(data)).toEqual({ audioCodec });
});
