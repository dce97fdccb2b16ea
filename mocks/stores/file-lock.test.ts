import { once } from 'node:events';
import { link, rename, rm, writeFile } from 'node:fs/promises';
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
  await lock.release();
  await (await lockFile(path)).release();
});

/** A locked file, which another name keeps from vanishing when a draft takes its place, and that draft. */
async function lockedFileAndDraft() {
  const path = temporaryFile('state.json');
  const replaced = `${path}.replaced`;
  const draft = `${path}.draft`;
  await writeFile(path, '');
  await link(path, replaced);
  await writeFile(draft, '');
  const lock = await lockFile(path);
  onTestFinished(() => lock.release());
  return { path, replaced, draft, lock };
}

test('once a draft has taken the place of a locked file, only the draft is locked', async () => {
  const { path, replaced, draft, lock } = await lockedFileAndDraft();
  await lock.replaceBy(draft, () => rename(draft, path));
  await expect(lockFile(path)).rejects.toThrow(`which is open in process ${process.pid}`);
  // A new file may get the inode of the one that was replaced.
  await (await lockFile(replaced)).release();
});

test('a draft that could not take the place of a locked file is not locked any more', async () => {
  const { path, draft, lock } = await lockedFileAndDraft();
  const failing = lock.replaceBy(draft, () => rename(draft, `${path}/missing/state.json`));
  await expect(failing).rejects.toThrow('ENOTDIR');
  await expect(lockFile(path)).rejects.toThrow(`which is open in process ${process.pid}`);
  await (await lockFile(draft)).release();
});

test('while a file is locked, a new file does not get its inode', async () => {
  const path = temporaryFile('state.json');
  await writeFile(path, '');
  const lock = await lockFile(path);
  onTestFinished(() => lock.release());
  await rm(path);
  const files = Array.from({ length: 50 }, (_, number) => `${path}.${number}`);
  for (const file of files) {
    await writeFile(file, '');
    await (await lockFile(file)).release();
  }
});
