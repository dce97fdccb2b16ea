import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { program } from '../../tools/program.test-support.ts';
import { type Loop, loadLoops } from './loop.ts';

const run = promisify(execFile);

/** What ffprobe reports of a file or playlist with one video and one audio track. */
export interface Probed {
  /** Seconds. */
  readonly duration: number;
  readonly video: ProbedVideo;
  readonly audio: ProbedTrack;
}

interface ProbedTrack {
  readonly codec: string;
  /** When each frame is presented, in whole milliseconds from the beginning. */
  readonly times: readonly number[];
}

interface ProbedVideo extends ProbedTrack {
  readonly level: number;
  readonly width: number;
  readonly height: number;
}

interface ProbeOutput {
  packets: { stream_index: number; pts_time: string }[];
  streams: OutputStream[];
  format: { duration: string };
}

interface OutputStream {
  index: number;
  codec_type: 'video' | 'audio';
  codec_name: string;
  level: number;
  width: number;
  height: number;
}

/** Measures a file or playlist with ffprobe. */
export async function probe(place: string): Promise<Probed> {
  const { stdout } = await run(
    program('ffprobe'),
    ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_packets', place],
    { maxBuffer: 2 ** 26 },
  );
  const output: ProbeOutput = JSON.parse(stdout);
  const { streams, format } = output;
  const [video, audio] = streams;
  if (streams.length !== 2 || video?.codec_type !== 'video' || audio?.codec_type !== 'audio') {
    throw new Error(`${place}: expected video and audio, got ${JSON.stringify(streams)}`);
  }
  return {
    duration: Number(format.duration),
    video: {
      ...readTrack(output, video),
      level: video.level,
      width: video.width,
      height: video.height,
    },
    audio: readTrack(output, audio),
  };
}

function readTrack({ packets }: ProbeOutput, stream: OutputStream): ProbedTrack {
  return {
    codec: stream.codec_name,
    times: packets
      .filter((packet) => packet.stream_index === stream.index)
      .map((packet) => Math.round(Number(packet.pts_time) * 1000)),
  };
}

/** Decodes all of a file or playlist with ffmpeg; returns its warnings. */
export async function complaints(place: string): Promise<string> {
  const { stderr } = await run(program('ffmpeg'), [
    ...['-nostdin', '-v', 'warning', '-xerror', '-i', place],
    ...['-map', '0', '-f', 'null', '-'],
  ]);
  return stderr;
}

/** When each of `count` frames is presented, in whole milliseconds, at a constant rate. */
export function evenTimes(count: number, perSecond: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.round((index * 1000) / perSecond));
}

/** Recordings to be tried: each size of the loop, in several numbers of frames. */
export const sampleRecordings = (await loadLoops()).flatMap((loop) =>
  byNight([1, 30, 96, 315, 1419], [1, 96, 315]).map((frames) => ({
    loop,
    frames,
    size: `${loop.height}p`,
  })),
);

/** Expects that a file or playlist plays as so many frames of the loop, without a gap. */
export async function expectPlayable(place: string, loop: Loop, frames: number): Promise<void> {
  const { duration, video, audio } = await probe(place);
  const { width, height } = loop;
  expect(duration).toBeCloseTo(frames / 30, 6);
  expect(video).toMatchObject({ codec: 'h264', width, height });
  expect(video.times).toEqual(evenTimes(frames, 30));
  expect(audio.codec).toBe('aac');
  expect(audio.times).toEqual(evenTimes(Math.floor((frames * 150) / 96), 48_000 / 1024));
  expect(await complaints(place)).toBe('');
}
