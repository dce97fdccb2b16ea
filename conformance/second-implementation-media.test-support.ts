import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the media of the second implementation in a folder: an MP4 of some seconds, and HLS of two renditions. */
export function makeMedia(ffmpeg: string, folder: string, seconds: number): void {
  const run = (...args: string[]): Buffer =>
    execFileSync(ffmpeg, ['-loglevel', 'error', ...args], { cwd: folder });
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50'];
  const test = `testsrc=size=1280x720:rate=25:duration=${seconds}`;
  run('-f', 'lavfi', '-i', test, ...h264, 'source.mp4');
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0'];
  for (const name of ['source', 'low']) mkdirSync(join(folder, name));
  run('-i', 'source.mp4', '-c', 'copy', ...hls, 'source/index.m3u8');
  run('-i', 'source.mp4', '-vf', 'scale=640:360', ...h264, ...hls, 'low/index.m3u8');
}
