import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { visible } from '../../text/visible.ts';
import { Blocked } from '../target/failure.ts';
import type { Encoder } from './provider.ts';

/** An ingest command and its limits. */
export interface CommandOptions {
  /** A command line for the shell. Nothing from the target becomes part of it. */
  readonly command: string;
  /** A media file to send. */
  readonly mediaFile: string;
  /** Milliseconds that the command may take longer than the session lasts. */
  readonly patience: number;
  /** Aborted if the command must end at once. */
  readonly stopSignal: AbortSignal;
}

/** The length of the media file in seconds. */
export const mediaFileSeconds = 10;

/** Goes live with a command that reads `STREAM_KEY`, `STREAM_ID` and `MEDIA_FILE` from its environment. */
export function commandProvider(options: CommandOptions): Encoder {
  const { command, mediaFile, patience, stopSignal } = options;
  return {
    name: 'command',
    async broadcast({ id, streamKey }, seconds) {
      if (streamKey === undefined) {
        throw new Blocked('the ingest command needs a stream key, but the target gave none');
      }
      const environment = { STREAM_KEY: streamKey, STREAM_ID: id, MEDIA_FILE: mediaFile };
      const end = await runShell(command, environment, patience + seconds * 1000, stopSignal);
      if (end === 0) return undefined;
      throw new Blocked(`the ingest command ${end}`);
    },
  };
}

/** Runs a command line for a limited time. Resolves to 0, or to what went wrong. */
async function runShell(
  command: string,
  environment: Record<string, string>,
  milliseconds: number,
  stopSignal: AbortSignal,
): Promise<0 | string> {
  // The encoder does not need the suite's own key.
  const { LIVESTREAM_API_KEY: _, ...inherited } = process.env;
  const env = { ...inherited, ...environment };
  let pid: number | undefined;
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    // The command may have to end an encoder of its own.
    endGroup(pid, 'SIGTERM');
  };
  const end = (): void => endGroup(pid, 'SIGKILL');
  const timers: NodeJS.Timeout[] = [];
  stopSignal.addEventListener('abort', end);
  try {
    stopSignal.throwIfAborted();
    // The shell runs in its own process group, so that everything it starts can be ended.
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(command, { shell: true, stdio: [...stdio], detached: true, env });
    pid = child.pid;
    timers.push(setTimeout(expire, milliseconds), setTimeout(end, milliseconds + graceToEnd));
    const lastLines = readLastLines(child.stderr);
    const closed = once(child, 'close').catch(() => {});
    const [status, signal] = await once(child, 'exit');
    for (const timer of timers) clearTimeout(timer);
    end();
    // Processes that left the group may still hold the error output open.
    await Promise.race([closed, wait(grace, undefined, { ref: false })]);
    child.stderr.destroy();
    if (isLate) return `took more than ${milliseconds} ms and was ended${lastLines()}`;
    return status === 0 ? 0 : `failed with ${signal ?? `status ${status}`}${lastLines()}`;
  } catch (error) {
    return `did not start: ${error instanceof Error ? error.message : error}`;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    stopSignal.removeEventListener('abort', end);
    end();
  }
}

/** Keeps the end of a command's error output for a message. */
function readLastLines(stream: Readable): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-longestTail);
  });
  return () => {
    const lines = tail.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    return lines.length === 0 ? '' : `; it wrote ${visible(lines.slice(-5).join(' / '))}`;
  };
}

/** How many characters of error output are kept. */
const longestTail = 1_000;

/** How many milliseconds reading the error output may take after a command has ended. */
const grace = 1_000;
/** Milliseconds between asking a late command to end and killing it. */
const graceToEnd = 2_000;

function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}
