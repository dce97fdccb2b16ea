import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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
  readonly apiKey: string;
  /** Ends the process with a signal and waits for it. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Runs the built command line to its end. */
export async function runCommand(...args: string[]): Promise<Finished> {
  return finish(start(args));
}

/** Runs `livestream-mock serve` on a free port until it says, as JSON, where it listens. */
export async function startServing(...args: string[]): Promise<Serving> {
  const { said, stop } = await startTalking('--json', ...args);
  return { ...JSON.parse(said), stop };
}

/** Runs `livestream-mock serve` on a free port until it has said something. */
export async function startTalking(
  ...args: string[]
): Promise<{ said: string; stop: Serving['stop'] }> {
  const child = start(['serve', '--port', '0', ...args]);
  const finished = finish(child);
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

function start(args: string[]): Child {
  return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
