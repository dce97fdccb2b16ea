import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { readAll } from './bytes.ts';
import { expectPlayable, sampleRecordings } from './ffmpeg.test-support.ts';
import { loadLoops, sourceLoop } from './loop.ts';
import { createMp4 } from './mp4.ts';

const source = sourceLoop(await loadLoops());

test.each(sampleRecordings)(
  '$frames frames in $size make a valid MP4',
  async ({ loop, frames }) => {
    const file = temporaryFile('recording.mp4');
    await writeFile(file, readAll(createMp4(loop, frames)));
    await expectPlayable(file, loop, frames);
  },
);

test('a player finds the header before the media, with the duration and the key frames', () => {
  const mp4 = Buffer.from(readAll(createMp4(source, 300)));
  const [movie = mp4, track = mp4, media = mp4, keyFrames = mp4, data = mp4] = [
    'mvhd',
    'tkhd',
    'mdhd',
    'stss',
    'mdat',
  ].map((type) => mp4.subarray(mp4.indexOf(type) + 4));
  expect(data.length).toBeLessThan(keyFrames.length);
  const timescale = movie.readUInt32BE(20);
  expect(Number(movie.readBigUInt64BE(24)) / timescale).toBe(10);
  expect(Number(track.readBigUInt64BE(28)) / timescale).toBe(10);
  expect(Number(media.readBigUInt64BE(24)) / media.readUInt32BE(20)).toBe(10);
  expect([4, 8, 12, 16, 20].map((at) => keyFrames.readUInt32BE(at))).toEqual([4, 1, 97, 193, 289]);
});

test('ten hours are 11,250 loops, and a range in the middle is neither computed nor copied', () => {
  const mp4 = createMp4(source, 1_080_000);
  const loop = Buffer.concat([source.video.data, source.audio.data]);
  const media = mp4.length - 11_250 * loop.length;
  const [first, middle] = [0, 5_000].map((turn) => {
    const start = media + turn * loop.length;
    return mp4.read(start, start + loop.length);
  });
  expect(middle && loop.equals(middle)).toBe(true);
  expect(middle?.buffer).toBe(first?.buffer);
});
