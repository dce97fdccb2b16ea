import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { ask } from './client.ts';
import { type Program, startProgram } from './processes.ts';
import type { Work } from './work.ts';

/** A server in a process of its own. */
export interface Server {
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from spawn to the end of the first answer. */
  readonly startedIn: number;
  stop(): Promise<void>;
}

const longestStart = 60_000;
const betweenTries = 2;

/**
 * Starts a Node program that listens at a free port, and asks every 2 ms until it answers.
 * @throws Error when it ends or does not answer within a minute.
 */
export async function startServer(
  args: (port: number) => readonly string[],
  first: Work,
): Promise<Server> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const before = performance.now();
  const program = startProgram(process.execPath, args(port));
  try {
    await firstAnswer(program, origin, first, before + longestStart);
  } catch (error) {
    await program.stop();
    throw error;
  }
  const startedIn = performance.now() - before;
  return { origin, pid: program.pid, startedIn, stop: program.stop };
}

async function firstAnswer(
  program: Program,
  origin: string,
  first: Work,
  deadline: number,
): Promise<void> {
  let over = false;
  let status: number | undefined;
  program.ended.then(() => {
    over = true;
  });
  while (!over && performance.now() < deadline) {
    status = await ask(origin, first).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === first.status) return;
    await setTimeout(betweenTries);
  }
  const came = status === undefined ? 'no answer' : `status ${status}`;
  throw new Error(
    `${first.method} ${origin}${first.path}: expected ${first.status}, got ${came}: ${program.said()}`,
  );
}

/** A port that was free a moment ago, on loopback. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
