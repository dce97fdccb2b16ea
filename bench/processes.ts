import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type BenchRequest, getRequest, sendRequest } from './measured-requests.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

const running = new Set<Child>();

/** The built command line. */
export const commandLine = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A server in its own process. */
export type Server = Awaited<ReturnType<typeof launchServer>>;

/** Ends every process that was started here and is still running. */
export function stopPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a program. Its stderr is shown, and {@link stopPrograms} ends it if nothing else does. */
export function startProgram(command: string, args: readonly string[]): Child {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Runs the built command line to its end. @throws Error if its status is not 0. */
export async function runMock(...args: readonly string[]): Promise<void> {
  const [status] = await once(startProgram(process.execPath, [commandLine, ...args]), 'close');
  if (status !== 0) throw new Error(`livestream-mock ${args.join(' ')} ended with ${status}.`);
}

/** Serves this project in its own process, with these options. */
export function serveMock(...options: readonly string[]): Promise<Server> {
  const args = [commandLine, 'serve', '--json', '--port', '0', ...options];
  return launchServer(args, getRequest('/api/stream?limit=1'));
}

/**
 * Starts a Node program that writes its `baseUrl` as JSON when it listens, and sends it a request.
 * @throws Error if the program ends, or does not respond as it should.
 */
export async function launchServer(args: readonly string[], first: BenchRequest) {
  const before = performance.now();
  const child = startProgram(process.execPath, args);
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const [said] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(([status]) => Promise.reject(new Error(`${args[0]} ended with ${status}.`))),
  ]);
  const { origin } = new URL(JSON.parse(String(said)).baseUrl);
  await sendRequest(origin, first);
  // Milliseconds from the start to the end of the first response.
  const startedIn = performance.now() - before;
  return { origin, pid: child.pid ?? 0, startedIn, stop };
}

/** How many MiB of memory a process uses now; `NaN` on systems that do not say. */
export function residentMebibytes(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
