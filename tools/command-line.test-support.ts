import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../commands/command-line.ts';
import type { CommandProcess } from '../commands/process.ts';

/** The result of a finished run of the command line. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server that the command line runs. */
export interface Serving {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Null if keys were given. */
  readonly apiKey: string | null;
  /** Where encoders go live, with `--rtmp`. */
  readonly rtmp?: string;
  /** Where browsers go live, with `--whip`. */
  readonly whip?: string;
  /** Sends it a signal, and waits until it ends. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Runs the command line in this process, to its end. */
export function runCommand(...args: string[]): Promise<Finished> {
  return runCommandIn({}, ...args);
}

/** Like {@link runCommand}, but with parts of the process replaced. */
export function runCommandIn(given: Partial<CommandProcess>, ...args: string[]): Promise<Finished> {
  return startInProcess(args, given).finished;
}

/** A stream that is a terminal. */
export function terminal(): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true });
}

/**
 * Runs `livestream-mock serve` in this process, on a free port, until it prints its addresses as JSON.
 * It ends with the test that started it, if not before.
 */
export async function startServing(...args: string[]): Promise<Serving> {
  const { said, stop } = await startTalking('--json', ...args);
  return { ...JSON.parse(said), stop };
}

/** Like {@link startServing}, but without JSON: waits until it has printed something. */
export async function startTalking(...args: string[]) {
  const { host, finished } = startInProcess(['serve', '--port', '0', ...args], {});
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> => {
    host.signals.emit(signal);
    return finished;
  };
  onTestFinished(() => void stop());
  return { said: await firstWords(host, finished), stop };
}

function startInProcess(args: readonly string[], given: Partial<CommandProcess>) {
  const host: CommandProcess = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    signals: new EventEmitter(),
    ownsProcess: false,
    ...given,
  };
  return { host, finished: collect(host, runCommandLine(args, host)) };
}

interface Outputs {
  readonly stdout: NodeJS.EventEmitter;
  readonly stderr: NodeJS.EventEmitter;
}

/** Everything that was written until a run ended. */
export async function collect(
  outputs: Outputs,
  ended: Promise<Finished['status']>,
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    outputs[name].on('data', (chunk: Buffer) => {
      written[name] += chunk;
    });
  }
  return { status: await ended, ...written };
}

/** The first output of a server. @throws Error if it ends before that. */
export async function firstWords(
  { stdout }: Outputs,
  finished: Promise<Finished>,
): Promise<string> {
  const [said] = await Promise.race([
    once(stdout, 'data'),
    finished.then(({ stderr }) => Promise.reject(new Error(`serve ended: ${stderr}`))),
  ]);
  return String(said);
}

/** Sends a request such as `GET /stream` to a server, with a body as JSON. */
export function ask(
  { baseUrl }: Pick<Serving, 'baseUrl'>,
  line: string,
  apiKey = 'test-demo',
  body?: object,
): Promise<Response> {
  const [method = '', path = ''] = line.split(' ');
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  return port;
}
