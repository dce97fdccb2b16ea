import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { program } from '../../../tools/program.test-support.ts';

/** An encoder that is under way. */
export interface Encoder {
  /** Asks it to stop, as Ctrl+C does. */
  stop(): void;
  kill(): void;
  /** Resolves with its exit status and what it complained of. */
  readonly finished: Promise<{ status: number | null; said: string }>;
}

const sources = {
  video: ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=30'],
  audio: ['-f', 'lavfi', '-i', 'sine'],
} as const;

/** Starts ffmpeg, which sends a test picture and a tone for so many seconds, as fast as they pass. */
export function startEncoder(
  address: string,
  {
    media = ['video', 'audio'],
    seconds = 60,
  }: { media?: (keyof typeof sources)[]; seconds?: number } = {},
): Encoder {
  const inputs = media.flatMap((name) => ['-re', ...sources[name]]);
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-ar', '44100'];
  const output = ['-t', String(seconds), '-f', 'flv', address];
  const child: ChildProcess = spawn(
    program('ffmpeg'),
    ['-hide_banner', '-loglevel', 'error', ...inputs, ...codecs, ...output],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const finished = once(child, 'close').then(([status]) => ({ status, said }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await finished;
  });
  return {
    stop: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
    finished,
  };
}
