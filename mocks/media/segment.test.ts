import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxesIn, findBox, viewBox } from './boxes.test-support.ts';
import { joined, readAll } from './bytes.ts';
import {
  complaints,
  evenTimes,
  expectPlayable,
  probe,
  sampleRecordings,
  temporaryFolder,
} from './ffmpeg.test-support.ts';
import { type Loop, loadLoops, sourceLoop } from './loop.ts';
import { recordingPlaylist, segmentName } from './playlist.ts';
import { createInitSegment, createSegment } from './segment.ts';
import { segmentCount } from './timeline.ts';

const source = sourceLoop(await loadLoops());
const framesPerSecond = 30;

test.each(sampleRecordings)(
  '$frames frames in $size play as segments without a gap',
  async ({ loop, frames }) => {
    await expectPlayable(await writeRendition(loop, frames), loop, frames);
  },
);

/** Writes the files of a rendition; returns the path of its playlist. */
async function writeRendition(loop: Loop, frames: number): Promise<string> {
  const folder = await temporaryFolder();
  const playlist = join(folder, 'index.m3u8');
  await writeFile(playlist, readAll(recordingPlaylist(frames, '')));
  await writeFile(join(folder, 'init.mp4'), readAll(createInitSegment(loop)));
  for (let index = 0; index < segmentCount(frames); index++) {
    const segment = readAll(createSegment(loop, frames, index));
    await writeFile(join(folder, segmentName(index)), segment);
  }
  return playlist;
}

test('a segment plays alone, at its own time in the session', async () => {
  const file = join(await temporaryFolder(), 'fourth.mp4');
  const alone = joined([createInitSegment(source), createSegment(source, 10 * framesPerSecond, 3)]);
  await writeFile(file, readAll(alone));
  const { video, audio } = await probe(file);
  // Three segments of 96 frames, or 3,200 ms, come before it; it has the last 12 of 300 frames.
  const start = 9_600;
  expect(video.times).toEqual(evenTimes(12, framesPerSecond).map((time) => start + time));
  expect(audio.times[0]).toBe(start);
  expect(await complaints(file)).toBe('');
});

test('a segment is one fragment and its media', () => {
  const segment = createSegment(source, 10 * framesPerSecond, 1);
  expect(boxesIn(segment).map(({ type }) => type)).toEqual(['moof', 'mdat']);
});

test('only the first picture of a segment depends on no other', () => {
  const segment = createSegment(source, 10 * framesPerSecond, 1);
  const defaults = viewBox(segment, findBox(segment, 'moof', 'traf', 'tfhd'));
  const run = viewBox(segment, findBox(segment, 'moof', 'traf', 'trun'));
  const dependsOnNone = 0x02000000;
  const dependsOnOthers = 0x01000000;
  const isNoSync = 0x00010000;
  expect(run.getUint32(12)).toBe(dependsOnNone);
  expect(defaults.getUint32(12)).toBe(dependsOnOthers + isNoSync);
});
