import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { optionError } from '../../text/option-error.ts';
import { visible } from '../../text/visible.ts';
import { describeValue } from '../messages/problem.ts';

/** The lock of this process on a file. */
export interface FileLock {
  /** Locks another file too, which is to take the place of the first. @throws as {@link lockFile} does */
  extendTo(path: string): Promise<void>;
  release(): void;
}

/**
 * Locks a file for this process. The lock is a socket whose name follows from the file's device and inode, so it
 * holds for all names of the file. However the process ends, the system closes the socket.
 * @throws RangeError if another process has it; Error of Node if the file cannot be read.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const servers = new Set<Server>();
  const release = (): void => {
    for (const server of servers) server.close();
  };
  const extendTo = async (another: string): Promise<void> => {
    servers.add(await takeSocket(another));
  };
  let address: string;
  do {
    release();
    servers.clear();
    address = await lockAddress(path);
    await extendTo(path);
    // Another process may have put a compacted file in its place meanwhile.
  } while ((await lockAddress(path).catch(() => '')) !== address);
  return { extendTo, release };
}

async function takeSocket(path: string): Promise<Server> {
  const address = await lockAddress(path);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(String(process.pid));
  }).unref();
  if (!(await listenAt(server, address))) {
    const owner = await ownerAt(address);
    // After a crash, a socket that is a file stays.
    if (owner === undefined && process.platform !== 'win32' && isAbsolute(address))
      await rm(address, { force: true });
    if (owner !== undefined || !(await listenAt(server, address))) throw locked(path, owner);
  }
  return server;
}

/** The address of the socket. It is a file only on systems without abstract sockets or named pipes. */
export async function lockAddress(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  const digest = createHash('sha256').update(`${dev} ${ino}`).digest('hex');
  const name = `livestream-mock-${digest.slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.lock`);
}

async function listenAt(server: Server, address: string): Promise<boolean> {
  try {
    await once(server.listen(address), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** What has a lock; `undefined` if nothing has. Any program can have the socket, so its answer is not trusted. */
async function ownerAt(address: string): Promise<string | undefined> {
  const socket = connect(address);
  socket.on('error', () => {});
  const deadline = setTimeout(() => socket.destroy(), 2_000);
  let answer = '';
  try {
    for await (const bytes of socket) {
      answer += bytes.toString('latin1');
      if (answer.length > maxAnswer) break;
    }
    if (/^\d{1,10}$/.test(answer)) return `process ${answer}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') return undefined;
  } finally {
    clearTimeout(deadline);
    socket.destroy();
  }
  if (answer === '') return 'a process that does not respond';
  return `another program, which answers ${visible(describeValue(answer))}`;
}

/** More characters than this of an answer are not read. */
const maxAnswer = 100;

function locked(path: string, owner: string | undefined): RangeError {
  const state =
    owner === undefined
      ? 'which another process had open until just now; try again'
      : `which is open in ${owner}; stop that process, or give another file`;
  const reason = `expected a file that no other mock has open, got ${path}, ${state}`;
  return optionError(RangeError, 'data', reason);
}
