import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fetchWork, type Work } from './requests.ts';

const running = new Set<ChildProcess>();
const longestStart = 60_000;
const betweenTries = 2;
const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A server in a process of its own. */
export interface Server {
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from spawn to the end of the first response. */
  readonly startedIn: number;
  stop(): Promise<void>;
}

/** Ends every process that was started here and still runs. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs the built command line to its end; what it printed. @throws Error when its status is not 0 */
export async function runMock(...args: readonly string[]): Promise<string> {
  const { ended, output } = startProgram(process.execPath, [program, ...args]);
  const status = await ended;
  if (status === 0) return output();
  throw new Error(`livestream-mock ${args.join(' ')} ended with ${status}: ${output()}`);
}

/** Arguments of Node that serve this project at a port. */
export function serveArgs(port: number, ...more: readonly string[]): string[] {
  return [program, 'serve', '--json', '--port', String(port), ...more];
}

/** Serves this project, in a process of its own, with these options. */
export function serveMock(...options: readonly string[]): Promise<Server> {
  return startServer((port) => serveArgs(port, ...options), {
    method: 'GET',
    path: '/api/stream?limit=1',
    headers: { authorization: 'Bearer test-demo' },
    status: 200,
  });
}

/**
 * Starts a Node program that listens at a free port, and asks every 2 ms until it responds.
 * @throws Error when it ends, or does not respond within a minute
 */
export async function startServer(
  args: (port: number) => readonly string[],
  first: Work,
): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const before = performance.now();
  const { child, ended, output } = startProgram(process.execPath, args(port));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  for (;;) {
    try {
      await fetchWork(origin, first);
      return { origin, pid: child.pid ?? 0, startedIn: performance.now() - before, stop };
    } catch (error) {
      if (!running.has(child) || performance.now() - before > longestStart) {
        await stop();
        throw new Error(`${(error as Error).message}: ${output()}`);
      }
    }
    await setTimeout(betweenTries);
  }
}

/** Megabytes of memory that a process holds now; not a number where the system does not tell. */
export function residentMegabytes(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** A program that runs. */
interface Started {
  readonly child: ChildProcess;
  /** The exit status; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The end of what it has printed. */
  output(): string;
}

/** Starts a program, which {@link stopAll} ends at the latest. */
export function startProgram(command: string, args: readonly string[]): Started {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
    });
  }
  child.on('error', (error) => {
    output += error.message;
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (status) => {
      running.delete(child);
      resolve(status);
    });
  });
  return { child, ended, output: () => output.trim() };
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
