import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { program } from '../../tools/program.test-support.ts';

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
  readonly profile: string;
  /** When each frame is presented, in whole milliseconds from the beginning. */
  readonly times: readonly number[];
  /** Seconds; `undefined` where the container does not say it, as in HLS. */
  readonly duration: number | undefined;
}

interface ProbedVideo extends ProbedTrack {
  readonly level: number;
  readonly width: number;
  readonly height: number;
  /** As a fraction, such as `30/1`. */
  readonly averageFrameRate: string;
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
  profile: string;
  level: number;
  width: number;
  height: number;
  avg_frame_rate: string;
  duration?: string;
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
      averageFrameRate: video.avg_frame_rate,
    },
    audio: readTrack(output, audio),
  };
}

function readTrack({ packets }: ProbeOutput, stream: OutputStream): ProbedTrack {
  return {
    codec: stream.codec_name,
    profile: stream.profile,
    times: packets
      .filter((packet) => packet.stream_index === stream.index)
      .map((packet) => Math.round(Number(packet.pts_time) * 1000)),
    duration: stream.duration === undefined ? undefined : Number(stream.duration),
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

/** A new folder, which is removed when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** When each of `count` frames is presented, in whole milliseconds, at a constant rate. */
export function evenTimes(count: number, perSecond: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.round((index * 1000) / perSecond));
}
