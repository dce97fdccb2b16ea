import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFile, temporaryFolder } from '../../tools/temporary.test-support.ts';
import { joinedSource, readAll } from './bytes.ts';
import {
  complaints,
  evenTimes,
  expectPlayable,
  probe,
  sampleRecordings,
} from './ffmpeg.test-support.ts';
import { segmentCount } from './frames.ts';
import { loadLoops, sourceLoop } from './loop.ts';
import { recordingPlaylist, segmentName } from './playlist.ts';
import { createInitSegment, createSegment } from './segment.ts';

test.each(sampleRecordings)(
  '$frames frames in $size play as segments without a gap',
  async ({ loop, frames }) => {
    const folder = temporaryFolder();
    const playlist = join(folder, 'index.m3u8');
    await writeFile(playlist, readAll(recordingPlaylist(frames, '')));
    await writeFile(join(folder, 'init.mp4'), readAll(createInitSegment(loop)));
    for (let index = 0; index < segmentCount(frames); index++) {
      const segment = readAll(createSegment(loop, frames, index));
      await writeFile(join(folder, segmentName(index)), segment);
    }
    await expectPlayable(playlist, loop, frames);
  },
);

const source = sourceLoop(await loadLoops());

test('a segment plays on its own, at its time in the session', async () => {
  const file = temporaryFile('fourth.mp4');
  const alone = joinedSource([createInitSegment(source), createSegment(source, 300, 3)]);
  await writeFile(file, readAll(alone));
  const { video, audio } = await probe(file);
  // Three segments of 96 frames (3,200 ms) come before it. It has the last 12 of 300 frames.
  const start = 9_600;
  expect(video.times).toEqual(evenTimes(12, 30).map((time) => start + time));
  expect(audio.times[0]).toBe(start);
  expect(await complaints(file)).toBe('');
});

test('the first picture of a segment is the only one that depends on no other', () => {
  const segment = Buffer.from(readAll(createSegment(source, 300, 1)));
  const [defaults = segment, run = segment] = ['tfhd', 'trun'].map((type) =>
    segment.subarray(segment.indexOf(type) + 4),
  );
  const dependsOnNone = 0x02000000;
  const dependsOnOthers = 0x01000000;
  const isNoSync = 0x00010000;
  expect(run.readUInt32BE(12)).toBe(dependsOnNone);
  expect(defaults.readUInt32BE(12)).toBe(dependsOnOthers + isNoSync);
});
