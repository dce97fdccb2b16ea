import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxesIn, findBox, viewBox } from './boxes.test-support.ts';
import { readAll } from './bytes.ts';
import { expectPlayable, sampleRecordings, temporaryFolder } from './ffmpeg.test-support.ts';
import { loadLoops, sourceLoop } from './loop.ts';
import { createMp4 } from './mp4.ts';

const source = sourceLoop(await loadLoops());
const tenSeconds = 300;
const tenHours = 1_080_000;

test.each(sampleRecordings)(
  '$frames frames in $size make a valid MP4',
  async ({ loop, frames }) => {
    const file = join(await temporaryFolder(), 'recording.mp4');
    await writeFile(file, readAll(createMp4(loop, frames)));
    await expectPlayable(file, loop, frames);
  },
);

test('a player finds the header, with the duration in it, before the media', () => {
  const mp4 = createMp4(source, tenSeconds);
  expect(boxesIn(mp4).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
  expect(boxesIn(mp4).at(-1)?.end).toBe(mp4.length);
  const movie = viewBox(mp4, findBox(mp4, 'moov', 'mvhd'));
  const track = viewBox(mp4, findBox(mp4, 'moov', 'trak', 'tkhd'));
  const media = viewBox(mp4, findBox(mp4, 'moov', 'trak', 'mdia', 'mdhd'));
  const timescale = movie.getUint32(20);
  expect(Number(movie.getBigUint64(24)) / timescale).toBe(10);
  expect(Number(track.getBigUint64(28)) / timescale).toBe(10);
  expect(Number(media.getBigUint64(24)) / media.getUint32(20)).toBe(10);
});

test('a player can seek to the beginning of each loop', () => {
  const mp4 = createMp4(source, tenSeconds);
  const table = viewBox(mp4, findBox(mp4, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stss'));
  const keyFrames = [8, 12, 16, 20].map((at) => table.getUint32(at));
  expect(table.getUint32(4)).toBe(keyFrames.length);
  expect(keyFrames).toEqual([1, 97, 193, 289]);
});

test('ten hours have the bytes of 11,250 loops, and every range is a view of the same few', () => {
  const mp4 = createMp4(source, tenHours);
  const loop = Buffer.concat([source.video.data, source.audio.data]);
  const media = findBox(mp4, 'mdat');
  expect(media.end - media.content).toBe(11_250 * loop.length);
  expect(mp4.length).toBe(media.end);

  const [first, middle] = [0, 5_000].map((turn) => {
    const start = media.content + turn * loop.length;
    return mp4.read(start, start + loop.length);
  });
  expect(middle && loop.equals(middle)).toBe(true);
  // Nothing is computed or copied for a range in the middle.
  expect(middle?.buffer).toBe(first?.buffer);
});
