import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/** A process of the bench; it ends with the bench, whichever way that ends. */
export interface Program {
  readonly pid: number;
  /** Its exit status, when it has ended; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The last that it has said on stdout and stderr. */
  said(): string;
  /** Ends it, and waits for that. */
  stop(): Promise<void>;
}

/** Starts a program. @throws Error when there is none */
export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Program {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2_000);
    });
  }
  running.add(child);
  const ended = once(child, 'close').then(
    ([status]: (number | null)[]) => status ?? null,
    (error: Error) => {
      said += error.message;
      return null;
    },
  );
  ended.then(() => running.delete(child));
  return {
    pid: child.pid ?? 0,
    ended,
    said: () => said.trim(),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program to its end. @throws Error with what it has said, when its status is not 0 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options?: SpawnOptions,
): Promise<string> {
  const program = startProgram(command, args, options);
  const status = await program.ended;
  if (status === 0) return program.said();
  throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${program.said()}`);
}

/** Ends what the bench has started and is still running, by its process id. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
