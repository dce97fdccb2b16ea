import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { visible } from '../model/visible.ts';
import { Blocked } from '../target/failure.ts';
import type { Encoder } from './provider.ts';

/** What an ingest command is told. */
export interface CommandOptions {
  /** The owner's own command line, run by the shell. Nothing from the target becomes part of it. */
  readonly command: string;
  /** A media file to send. */
  readonly mediaFile: string;
  /** Milliseconds after which the command is ended, beyond the session's own length. */
  readonly patience: number;
  /** Aborted where the command is to end at once. */
  readonly stop: AbortSignal;
}

/** Goes live by a command, which finds `STREAM_KEY`, `STREAM_ID` and `MEDIA_FILE` in its environment. */
export function commandProvider({ command, mediaFile, patience, stop }: CommandOptions): Encoder {
  return {
    name: 'command',
    async broadcast({ id, streamKey }, seconds) {
      if (streamKey === undefined) {
        throw new Blocked('going live by a command: the target gave no streamKey to ingest with');
      }
      const environment = { STREAM_KEY: streamKey, STREAM_ID: id, MEDIA_FILE: mediaFile };
      const end = await runShell(command, environment, patience + seconds * 1000, stop);
      if (end === 0) return undefined;
      throw new Blocked(`going live by a command: expected it to end with status 0, ${end}`);
    },
  };
}

/** Runs a command line, and all that it starts, for a bounded time: 0, or else what went wrong. */
async function runShell(
  command: string,
  environment: Record<string, string>,
  milliseconds: number,
  stop: AbortSignal,
): Promise<0 | string> {
  // The suite's own key is no business of the encoder's.
  const { LIVESTREAM_API_KEY: _, ...inherited } = process.env;
  const env = { ...inherited, ...withoutNul(environment) };
  const timers: NodeJS.Timeout[] = [];
  let pid: number | undefined;
  const end = (): void => endGroup(pid, 'SIGKILL');
  try {
    stop.throwIfAborted();
    // The shell runs in a group of its own, so that what it started ends with it.
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(command, { shell: true, stdio: [...stdio], detached: true, env });
    pid = child.pid;
    const lastLines = readLastLines(child.stderr);
    const closed = once(child, 'close').catch(() => {});
    let late = false;
    const expire = (): void => {
      late = true;
      endGroup(pid, 'SIGTERM');
      timers.push(setTimeout(() => endGroup(pid, 'SIGKILL'), grace));
    };
    timers.push(setTimeout(expire, milliseconds));
    stop.addEventListener('abort', end);
    const [status, signal] = await once(child, 'exit');
    // What it started may hold its error output open, and what has left its group even now.
    end();
    const deadline = new Promise((resolve) => timers.push(setTimeout(resolve, grace)));
    await Promise.race([closed, deadline]);
    child.stderr.destroy();
    if (late) return `but it took more than ${milliseconds} ms and was ended${lastLines()}`;
    return status === 0 ? 0 : `got ${status ?? signal}${lastLines()}`;
  } catch (error) {
    return `but it did not start: ${error instanceof Error ? error.message : error}`;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    stop.removeEventListener('abort', end);
    end();
  }
}

/** Keeps the end of what a command says of errors, for a message. */
function readLastLines(stream: Readable): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-longestTail);
  });
  return () => {
    const lines = tail.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    return lines.length === 0 ? '' : `; it wrote ${visible(lines.slice(-3).join(' / '))}`;
  };
}

/** Characters of error output that are kept. */
const longestTail = 600;

/** Milliseconds that a command has for ending by itself when it is asked to. */
const grace = 1_000;

/** The environment cannot carry NUL; a target that sends one gets nothing through. */
function withoutNul(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replaceAll('\0', '')]),
  );
}

function endGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
