import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { program } from '../../tools/program.test-support.ts';
import { type Loop, loadLoops } from './loop.ts';

const run = promisify(execFile);

interface ProbeOutput {
  packets: { stream_index: number; pts_time: string }[];
  streams: {
    index: number;
    codec_type: 'video' | 'audio';
    codec_name: string;
    level: number;
    width: number;
    height: number;
  }[];
  format: { duration: string };
}

/**
 * Measures a file or playlist with one video and one audio track, using ffprobe: its seconds, and when each frame is
 * presented, in whole milliseconds from the beginning.
 */
export async function probe(place: string) {
  const { stdout } = await run(
    program('ffprobe'),
    ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_packets', place],
    { maxBuffer: 2 ** 26 },
  );
  const { streams, packets, format }: ProbeOutput = JSON.parse(stdout);
  const [video, audio] = streams;
  if (streams.length !== 2 || video?.codec_type !== 'video' || audio?.codec_type !== 'audio') {
    throw new Error(`${place}: expected video and audio, got ${JSON.stringify(streams)}`);
  }
  const timesOf = ({ index }: { index: number }): number[] =>
    packets
      .filter((packet) => packet.stream_index === index)
      .map((packet) => Math.round(Number(packet.pts_time) * 1000));
  return {
    duration: Number(format.duration),
    video: { ...video, times: timesOf(video) },
    audio: { ...audio, times: timesOf(audio) },
  };
}

/** Decodes a whole file or playlist with ffmpeg, and returns the warnings. */
export async function complaints(place: string): Promise<string> {
  const { stderr } = await run(program('ffmpeg'), [
    ...['-nostdin', '-v', 'warning', '-xerror', '-i', place],
    ...['-map', '0', '-f', 'null', '-'],
  ]);
  return stderr;
}

/** When each of `count` frames is presented at a constant rate, in whole milliseconds. */
export function evenTimes(count: number, perSecond: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.round((index * 1000) / perSecond));
}

/** The recordings to try: each size of the loop, with several numbers of frames. */
export const sampleRecordings = (await loadLoops()).flatMap((loop) =>
  byNight([1, 30, 96, 315, 1419], [1, 96, 315]).map((frames) => ({
    loop,
    frames,
    size: `${loop.height}p`,
  })),
);

/** Expects that a file or playlist plays as a number of frames of the loop, without a gap. */
export async function expectPlayable(place: string, loop: Loop, frames: number): Promise<void> {
  const { duration, video, audio } = await probe(place);
  const { width, height } = loop;
  expect(duration).toBeCloseTo(frames / 30, 6);
  expect(video).toMatchObject({ codec_name: 'h264', width, height });
  expect(video.times).toEqual(evenTimes(frames, 30));
  expect(audio.codec_name).toBe('aac');
  expect(audio.times).toEqual(evenTimes(Math.floor((frames * 150) / 96), 48_000 / 1024));
  expect(await complaints(place)).toBe('');
}
