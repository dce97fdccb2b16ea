import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { program } from '../../../tools/program.test-support.ts';

const sources = [
  ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=30'],
  ['-f', 'lavfi', '-i', 'sine'],
] as const;

/** Starts ffmpeg, which sends a test picture and a tone in real time, for a number of seconds. */
export function startEncoder(address: string, seconds = 60) {
  const inputs = sources.flatMap((source) => ['-re', ...source]);
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-ar', '44100'];
  const output = ['-t', String(seconds), '-f', 'flv', address];
  const quiet = ['-hide_banner', '-loglevel', 'error'];
  const child = spawn(program('ffmpeg'), [...quiet, ...inputs, ...codecs, ...output], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  /** Its exit status, and its complaints. */
  const finished = once(child, 'close').then(([status]) => ({ status, complaints }));
  const kill = async () => {
    child.kill('SIGKILL');
    await finished;
  };
  onTestFinished(kill);
  return { finished, kill };
}
