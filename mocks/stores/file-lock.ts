import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { optionError } from '../../option-error.ts';

/**
 * Locks a file for this process, and returns a function that releases it. The lock is a socket whose name follows from
 * the folder's device and inode and from the file's name. However the process ends, the system closes the socket.
 * @throws RangeError if another process has it; Error of Node if the folder cannot be read.
 */
export async function lockFile(path: string): Promise<() => void> {
  const address = await addressFor(path);
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
  return () => server.close();
}

/** The address of the socket. It is a file only on systems without abstract sockets or named pipes. */
async function addressFor(path: string): Promise<string> {
  const { dev, ino } = await stat(dirname(path), { bigint: true });
  const digest = createHash('sha256')
    .update(`${dev} ${ino} ${basename(path)}`)
    .digest('hex');
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

/** The id of the process that has a lock, if it responds; `undefined` if there is none. */
function ownerAt(address: string): Promise<string | undefined> {
  const socket = connect(address);
  socket.setTimeout(2_000, () => socket.destroy());
  return text(socket).catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ERR_STREAM_PREMATURE_CLOSE' ? '(which does not respond)' : undefined,
  );
}

function locked(path: string, owner = '(which has just ended)'): RangeError {
  const reason = `expected a file that no other mock has open, got ${path}, which is open in process ${owner}; stop that process, or give another file`;
  return optionError(RangeError, 'data', reason);
}
