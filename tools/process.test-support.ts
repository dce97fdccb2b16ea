import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Finished, Serving } from './command-line.test-support.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A run of the built command line that is under way. */
export interface Running {
  readonly finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the other ends of its stdout and stderr. */
  hangUp(): void;
}

/** Begins a run of the built command line in a process, which ends with the test if not before. */
export function startProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = run(process.execPath, [program, ...args], { env });
  const finished = finish(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await finished;
  });
  return {
    finished,
    kill: (signal) => void child.kill(signal),
    hangUp() {
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

/**
 * Runs the built `livestream-mock serve` in a process, on a free port, until it says, as JSON, where it
 * listens. It ends with the test that starts it, if not before.
 */
export function startServingProcess(...args: string[]): Promise<Serving> {
  return listenTo(run(process.execPath, servingOf(args)));
}

/** As {@link startServingProcess}, where no file can grow beyond so many blocks of 512 bytes until there is room. */
export async function startServingOnFullDisk(
  blocks: number,
  ...args: string[]
): Promise<Serving & { makeRoom(): void }> {
  const limited = `ulimit -S -f ${blocks} && exec "$@"`;
  const child = run('sh', ['-c', limited, 'sh', process.execPath, ...servingOf(args)]);
  const makeRoom = (): void => {
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
  };
  return { ...(await listenTo(child)), makeRoom };
}

function servingOf(args: readonly string[]): string[] {
  return [program, 'serve', '--port', '0', '--json', ...args];
}

async function listenTo(child: Child): Promise<Serving> {
  const finished = finish(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await finished;
  });
  const [said] = await Promise.race([
    once(child.stdout, 'data'),
    finished.then(({ stderr }) => Promise.reject(new Error(`serve ended: ${stderr}`))),
  ]);
  return {
    ...JSON.parse(String(said)),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return finished;
    },
  };
}

type Child = ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };

function run(command: string, args: string[], { env = {} }: Pick<SpawnOptions, 'env'> = {}): Child {
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A job on GitHub that runs these tests must not see what they write.
    env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env },
  });
}

async function finish(child: Child): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk;
    });
  }
  const [status] = await once(child, 'close');
  return { status, ...output };
}
