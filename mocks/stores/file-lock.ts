import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { optionError } from '../../option-error.ts';

/** The process that has a file. All of it is in the name of an empty lock file, which is never half written. */
interface Owner {
  readonly lock: string;
  readonly port: number;
  /** What the owner answers at the port as long as it runs; it begins with its process id. */
  readonly word: string;
}

/** Milliseconds to wait for an answer at the port; after that only the process id counts. */
const patience = 2_000;

/**
 * Locks a file for this process and returns a function that releases it. An owner answers at a port of
 * the loopback interface as long as it runs. Its process id alone proves nothing: another process may
 * have the same id, as after every restart of a container. Each process first makes its lock and then
 * looks for others, so of two that start at once at most one gets the file.
 * @throws RangeError when another owner runs; Error of Node when the lock file cannot be made.
 */
export async function lockFile(path: string): Promise<() => void> {
  const word = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const server = createServer((socket) => answerChallenge(socket, word)).unref();
  const lock = `${path}.${await listen(server)}-${word}.lock`;
  const release = (): void => {
    process.off('exit', release);
    server.close();
    rmSync(lock, { force: true });
  };
  process.once('exit', release);
  try {
    await writeFile(lock, '', { mode: 0o600 });
    for (const owner of await findOwners(path)) {
      if (owner.lock !== lock) await refuseLiving(path, owner);
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function findOwners(path: string): Promise<Owner[]> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const names = (await readdir(folder)).filter((name) => name.startsWith(start));
  return names.flatMap((name) => {
    const [, port, word] = /^(\d+)-(\d+-[0-9a-f]{8})\.lock$/.exec(name.slice(start.length)) ?? [];
    return word === undefined ? [] : [{ lock: join(folder, name), port: Number(port), word }];
  });
}

/** Removes the lock of an owner that no longer runs. */
async function refuseLiving(path: string, { lock, port, word }: Owner): Promise<void> {
  if (!(await isAlive(port, word))) return rm(lock, { force: true });
  throw optionError(
    RangeError,
    'data',
    `expected a file that no other mock has open, got ${path}, which process ${word.split('-')[0]} has (${lock}); stop that one, or give another file; if there is no such mock any more, delete that lock file`,
  );
}

/** Answers with the owner's word and the challenge, which no other service would do by chance. */
function answerChallenge(socket: Socket, word: string): void {
  socket.unref();
  socket.on('error', () => {});
  socket.once('data', (challenge) => socket.end(replyTo(String(challenge).trim(), word)));
}

function replyTo(challenge: string, word: string): string {
  return `${word} ${challenge}`;
}

/**
 * Whether the owner answers at its port. After a crash another service may have the port; most answer
 * something to a line that they do not understand. Silence means a busy owner, if its process exists.
 */
async function isAlive(port: number, word: string): Promise<boolean> {
  const challenge = randomBytes(8).toString('hex');
  let silent = false;
  const socket = connect({ port, host: '127.0.0.1', timeout: patience });
  socket.once('timeout', () => {
    silent = socket.bytesRead === 0;
    socket.destroy();
  });
  socket.write(`${challenge}\r\n\r\n`);
  try {
    return (await text(socket)) === replyTo(challenge, word);
  } catch {
    return silent && hasProcess(Number.parseInt(word, 10));
  }
}

function hasProcess(id: number): boolean {
  try {
    process.kill(id, 0); // sends nothing
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
