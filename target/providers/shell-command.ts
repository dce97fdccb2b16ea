import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** A command line for the shell, and when it has to end. */
export interface ShellCommand {
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds after which it is asked to end. */
  readonly limit: number;
  /** The signal that asks it, and everything it has started, to end. */
  readonly politeSignal: 'SIGINT' | 'SIGTERM';
  /** Milliseconds between asking it to end and killing it. */
  readonly graceToEnd: number;
  /** Once aborted, it is asked to end. */
  readonly askSignal?: AbortSignal;
  /** Once aborted, it is killed. */
  readonly killSignal?: AbortSignal;
  /** Which of its outputs are kept: only errors, or both in the order in which they came. */
  readonly kept: 'stderr' | 'both';
  /** How many characters at the end of its output are kept. */
  readonly longestTail: number;
}

/** How a command ended. */
export interface ShellEnd {
  /** What went wrong, in words that follow `the command`; absent if it ended with status 0. */
  readonly failure?: string;
  /** The end of what it wrote. It may contain anything. */
  readonly output: string;
}

/** A timer of more milliseconds would ring at once. */
const longestTimer = 2 ** 31 - 1;

/** How many milliseconds reading the output may take after a command has ended. */
const graceToRead = 1_000;

/**
 * Runs a command line in its own process group, for a limited time. Whatever it has started is ended with it.
 * It never rejects.
 */
export async function runShellCommand(options: ShellCommand): Promise<ShellEnd> {
  const { command, environment: env, limit, politeSignal, graceToEnd } = options;
  const { askSignal, killSignal, kept, longestTail } = options;
  const killed = new AbortController();
  let pid: number | undefined;
  let isLate = false;
  let killTimer: NodeJS.Timeout | undefined;
  const kill = (): void => {
    killed.abort();
    signalGroup(pid, 'SIGKILL');
  };
  const ask = (): void => {
    // The command may have to end processes of its own.
    signalGroup(pid, politeSignal);
    killTimer ??= setTimeout(kill, graceToEnd);
  };
  let limitTimer: NodeJS.Timeout | undefined;
  const expire = (): void => {
    isLate = true;
    ask();
  };
  askSignal?.addEventListener('abort', ask);
  killSignal?.addEventListener('abort', kill);
  let readTail = (): string => '';
  try {
    askSignal?.throwIfAborted();
    killSignal?.throwIfAborted();
    // The shell runs in its own process group, so that everything it starts can be ended.
    const child = spawn(command, {
      shell: true,
      stdio: ['ignore', kept === 'both' ? 'pipe' : 'ignore', 'pipe'],
      detached: true,
      env,
    });
    pid = child.pid;
    limitTimer = setTimeout(expire, Math.min(limit, longestTimer));
    const outputs = [child.stdout, child.stderr].filter((output) => output !== null);
    readTail = keepTail(outputs, longestTail);
    const closed = once(child, 'close').catch(() => {});
    const [status, signal] = await once(child, 'exit');
    clearTimeout(limitTimer);
    // A shell that is asked to end may end before what it has started.
    while (killTimer !== undefined && !killed.signal.aborted && signalGroup(pid, 0)) await wait(50);
    kill();
    // Processes that left the group may still hold the outputs open.
    await Promise.race([closed, wait(graceToRead, undefined, { ref: false })]);
    for (const output of outputs) output.destroy();
    if (isLate) return { failure: `took more than ${limit} ms and was ended`, output: readTail() };
    if (status === 0) return { output: readTail() };
    return { failure: `failed with ${signal ?? `status ${status}`}`, output: readTail() };
  } catch (exception) {
    const reason = exception instanceof Error ? exception.message : exception;
    return { failure: `did not start: ${reason}`, output: readTail() };
  } finally {
    clearTimeout(limitTimer);
    clearTimeout(killTimer);
    askSignal?.removeEventListener('abort', ask);
    killSignal?.removeEventListener('abort', kill);
    kill();
  }
}

/** Keeps the end of what streams say. */
function keepTail(streams: readonly Readable[], longest: number): () => string {
  let tail = '';
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      tail = (tail + chunk).slice(-longest);
    });
  }
  return () => tail.toWellFormed();
}

/** Sends a signal to a process group; 0 only asks. Returns whether there is such a group. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
