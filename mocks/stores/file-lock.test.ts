import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { lockAddress, lockFile } from './file-lock.ts';

/** A file whose lock another program has, which answers whoever asks. */
async function lockedFile(answer: (socket: Socket) => void): Promise<string> {
  const path = temporaryFile('state.json');
  await writeFile(path, '');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  await once(server.listen(await lockAddress(path)), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return path;
}

test.each([
  ['42', 'process 42'],
  ['', 'a process that does not respond'],
  ['\u001b[2J\u009b1m\n', 'another program, which answers "\\u001b[2J\\u009b1m\\n"'],
  ['x'.repeat(1_000_000), `another program, which answers "${'x'.repeat(59)}…"`],
])(
  'a lock with the answer %j is refused, and the answer shown escaped and cut',
  async (answer, owner) => {
    const path = await lockedFile((socket) => socket.end(answer, 'latin1'));
    await expect(lockFile(path)).rejects.toThrow(
      `data: expected a file that no other mock has open, got ${path}, which is open in ${owner}; stop that process, or give another file`,
    );
  },
);

test('a program that has the lock and never stops talking is not heard out', async () => {
  const path = await lockedFile((socket) => {
    const talk = (): void => {
      while (socket.writable && socket.write('y'.repeat(1_000)));
    };
    socket.on('drain', talk);
    talk();
  });
  await expect(lockFile(path)).rejects.toThrow('another program, which answers "yyy');
});

test('a program that has the lock and says nothing is not waited for', async () => {
  const path = await lockedFile(() => {});
  await expect(lockFile(path)).rejects.toThrow('a process that does not respond');
});

test('a released lock can be taken again', async () => {
  const path = temporaryFile('state.json');
  await writeFile(path, '');
  const lock = await lockFile(path);
  lock.release();
  (await lockFile(path)).release();
});
