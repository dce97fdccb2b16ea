import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { BigIntStats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { optionError } from '../../text/option-error.ts';
import { visible } from '../../text/visible.ts';
import { describeValue } from '../messages/problem.ts';
import { closeLasting, openLasting } from './lasting-file.ts';

/** The lock of this process on a file. */
export interface FileLock {
  /**
   * Locks a draft too while `replace` puts it in the place of the file, and then only what stands there.
   * @throws RangeError as {@link lockFile} does; what `replace` throws, and then the file stays locked as it was.
   */
  replaceBy(draft: string, replace: () => Promise<void>): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks a file for this process. The lock is a socket whose name follows from the file's device and inode, so it
 * holds for all names of the file. However the process ends, the system closes the socket.
 * @throws RangeError if another process has it; Error of Node if the file cannot be read.
 */
export async function lockFile(path: string): Promise<FileLock> {
  let held = await hold(path);
  // Another process may have put a compacted file in its place meanwhile.
  while ((await lockAddress(path).catch(() => '')) !== held.address) {
    await held.release();
    held = await hold(path);
  }
  return {
    async replaceBy(draft, replace) {
      const next = await hold(draft);
      try {
        await replace();
      } catch (exception) {
        await next.release();
        throw exception;
      }
      const replaced = held;
      held = next;
      await replaced.release();
    },
    release: () => held.release(),
  };
}

/** Takes the socket of a file. The file stays open, so that its inode cannot become that of a new file meanwhile. */
async function hold(path: string) {
  const file = await openLasting(path, 'r');
  try {
    const address = addressOf(await file.stat({ bigint: true }));
    const server = await takeSocket(path, address);
    return {
      address,
      async release(): Promise<void> {
        server.close();
        await closeLasting(file);
      },
    };
  } catch (exception) {
    await closeLasting(file);
    throw exception;
  }
}

async function takeSocket(path: string, address: string): Promise<Server> {
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
  return addressOf(await stat(path, { bigint: true }));
}

function addressOf({ dev, ino }: BigIntStats): string {
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
  } catch (exception) {
    if ((exception as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw exception;
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
  } catch (exception) {
    if ((exception as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      return undefined;
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
