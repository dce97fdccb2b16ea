import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { collect, firstWords, type Serving } from './command-line.test-support.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A running process of the built command line. */
export type Running = ReturnType<typeof startProcess>;

/** Starts the built command line in a process, which ends with the test, if not before. */
export function startProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { child, finished } = run(process.execPath, [program, ...args], env);
  return {
    finished,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Closes the other ends of its stdout and stderr. */
    hangUp() {
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

/**
 * Runs the built `livestream-mock serve` in a process, on a free port, until it prints its addresses as JSON.
 * It ends with the test that started it, if not before.
 */
export async function startServingProcess(...args: string[]): Promise<Serving> {
  const options = ['serve', '--port', '0', '--json', ...args];
  const { child, finished } = run(process.execPath, [program, ...options]);
  return {
    ...JSON.parse(await firstWords(child, finished)),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return finished;
    },
  };
}

/** Starts a program, which ends with the test, if not before. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // These tests may run in a job on GitHub, whose summary they must not write to.
    env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env },
  });
  const finished = collect(
    child,
    once(child, 'close').then(([status]) => status),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await finished;
  });
  return { child, finished };
}
