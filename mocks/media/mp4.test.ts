import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { boxesIn, findBox, viewBox } from './boxes.test-support.ts';
import { type ByteSource, readAll } from './bytes.ts';
import { complaints, evenTimes, probe, temporaryFolder } from './ffmpeg.test-support.ts';
import { loadLoops, sourceLoop } from './loop.ts';
import { createMp4 } from './mp4.ts';

const loops = await loadLoops();
const source = sourceLoop(loops);
const tenSeconds = 300;
const tenHours = 1_080_000;
const second = 30;

/** In frames. */
const lengths = byNight([1, second, 96, 10.5 * second, 47.3 * second], [1, 96, 10.5 * second]);
const recordings = loops.flatMap((loop) =>
  lengths.map((frames) => ({
    loop,
    frames: Math.round(frames),
    size: `${loop.height}p`,
  })),
);

test.each(recordings)('$frames frames in $size make a valid MP4', async ({ loop, frames }) => {
  const file = join(await temporaryFolder(), 'recording.mp4');
  await writeFile(file, readAll(createMp4(loop, frames)));
  const { duration, video, audio } = await probe(file);
  const { width, height } = loop;
  expect(duration).toBeCloseTo(frames / 30, 6);
  expect(video.duration).toBeCloseTo(frames / 30, 6);
  expect(video).toMatchObject({ codec: 'h264', width, height, averageFrameRate: '30/1' });
  expect(video.times).toEqual(evenTimes(frames, 30));
  expect(audio.codec).toBe('aac');
  expect(audio.times).toEqual(evenTimes(Math.floor((frames * 150) / 96), 48_000 / 1024));
  expect(await complaints(file)).toBe('');
});

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

test('ten hours take no more memory than ten seconds', () => {
  const growth = memoryOf(() => openAndSeek(tenHours)) - memoryOf(() => openAndSeek(tenSeconds));
  const slack = 1_000_000;
  expect(growth).toBeLessThan(slack);
  // If the header alone were kept in memory, it would exceed the slack by far.
  const { start, end } = findBox(createMp4(source, tenHours), 'moov');
  expect(end - start).toBeGreaterThan(10 * slack);
});

/** Reads what a player does: the beginning and the end of the header, and then some ranges. */
function openAndSeek(frames: number): ByteSource {
  const mp4 = createMp4(source, frames);
  const { content } = findBox(mp4, 'mdat');
  for (const at of [0, content - 10_000, content, mp4.length / 2, mp4.length - 10_000]) {
    mp4.read(Math.floor(at), Math.floor(at) + 10_000);
  }
  return mp4;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Additional bytes in use while the result of `make` is held, the least of five trials. */
function memoryOf(make: () => ByteSource): number {
  const held: ByteSource[] = [];
  const growths = Array.from({ length: 5 }, () => {
    const before = memoryInUse();
    held.push(make());
    return memoryInUse() - before;
  });
  expect(held).toHaveLength(growths.length);
  return Math.min(...growths);
}

function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
