import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** What a finished run of the command line left. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server that the command line runs. */
export interface Serving {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Null where keys were given. */
  readonly apiKey: string | null;
  /** Ends the process with a signal and waits for it. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

const longestRun = 25_000;

/**
 * Runs the built command line to its end.
 * @throws Error when it has not ended after 25 seconds; it is killed then.
 */
export async function runCommand(...args: string[]): Promise<Finished> {
  const child = start(args, { timeout: longestRun, killSignal: 'SIGKILL' });
  const finished = await finish(child);
  if (child.signalCode !== 'SIGKILL') return finished;
  const said = `stdout ${JSON.stringify(finished.stdout)}, stderr ${JSON.stringify(finished.stderr)}`;
  throw new Error(`livestream-mock ${args.join(' ')} did not end in ${longestRun} ms: ${said}`);
}

/** A run of the command line that is under way. */
export interface Running {
  readonly finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the other ends of its stdout and stderr. */
  hangUp(): void;
}

/** Begins a run of the built command line, which ends with the test if not before. */
export function startCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = start([...args], { env });
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
 * Runs `livestream-mock serve` on a free port until it says, as JSON, where it listens. It ends with
 * the test that starts it, if not before.
 */
export async function startServing(...args: string[]): Promise<Serving> {
  const { said, stop } = await startTalking('--json', ...args);
  return { ...JSON.parse(said), stop };
}

/** As {@link startServing}, where no file can grow beyond so many blocks of 512 bytes until there is room. */
export async function startServingOnFullDisk(
  blocks: number,
  ...args: string[]
): Promise<Serving & { makeRoom(): void }> {
  const command = [process.execPath, program, 'serve', '--port', '0', '--json', ...args];
  const limited = `ulimit -S -f ${blocks} && exec "$@"`;
  const child = run('sh', ['-c', limited, 'sh', ...command]);
  const { said, stop } = await listenTo(child);
  const makeRoom = (): void => {
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
  };
  return { ...JSON.parse(said), stop, makeRoom };
}

/** The environment of a command whose stderr is a terminal. */
export const onTerminal: NodeJS.ProcessEnv = {
  NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true',
};

/** As {@link startServing}, where stderr is a terminal; `shown` resolves once something stands there. */
export async function startServingOnTerminal(
  ...args: string[]
): Promise<Serving & { readonly shown: Promise<unknown> }> {
  const child = start(['serve', '--port', '0', '--json', ...args], { env: onTerminal });
  const shown = once(child.stderr, 'data');
  const { said, stop } = await listenTo(child);
  return { ...JSON.parse(said), shown, stop };
}

/** As {@link startServing}, until it has said something. */
export function startTalking(...args: string[]): Promise<Talking> {
  return listenTo(start(['serve', '--port', '0', ...args]));
}

interface Talking {
  readonly said: string;
  readonly stop: Serving['stop'];
}

async function listenTo(child: Child): Promise<Talking> {
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
    said: String(said),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return finished;
    },
  };
}

type Child = ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream };

type ChildOptions = Pick<SpawnOptions, 'timeout' | 'killSignal' | 'env'>;

function start(args: string[], options?: ChildOptions): Child {
  return run(process.execPath, [program, ...args], options);
}

function run(command: string, args: string[], options: ChildOptions = {}): Child {
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    // A job on GitHub that runs these tests must not see what they write.
    env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...options.env },
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

/** A port at which nothing listens. */
export async function freePort(): Promise<number> {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  return port;
}
