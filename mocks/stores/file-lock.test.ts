import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { during, newPath } from './file.test-support.ts';
import { fileStore } from './file.ts';

test('one mock at a time has a file', async () => {
  const path = await newPath();
  await during(path, async () => {
    await expect(fileStore(path)).rejects.toThrow(
      `data: expected a file that no other mock has open, got ${path}, which process ${process.pid} has (${path}.`,
    );
    await expect(fileStore(path)).rejects.toThrow(
      /\.lock\); stop that one, or give another file; if there is no such mock any more, delete that lock file$/,
    );
  });
  await during(path, (store) => store.names());
});

test('of two mocks that a lock cannot keep apart, one is refused, and all that was answered stays', async () => {
  const path = await newPath();
  await during(path, async (first) => {
    const hers = await createMock({ store: first }).world();
    await hers.createStream({ name: 'hers' });
    for (const name of await readdir(join(path, '..'))) {
      if (name.endsWith('.lock')) await rm(join(path, '..', name));
    }
    await during(path, async (second) => {
      const his = await createMock({ store: second }).world();
      await hers.createStream({ name: 'hers again' });
      const kept = await readFile(path, 'utf8');
      for (const name of ['his', 'his again']) {
        await expect(his.createStream({ name })).rejects.toThrow('as this mock has written it');
      }
      expect(await readFile(path, 'utf8')).toBe(kept);
    }).catch((error) => expect(String(error)).toContain('it is lost'));
    await hers.createStream({ name: 'hers in the end' });
  });
  await during(path, async (store) => {
    expect((await createMock({ store }).world()).streams()).toHaveLength(3);
  });
});

test('a store that was closed keeps nothing more, and leaves the file to its new owner', async () => {
  const path = await newPath();
  const first = await fileStore(path);
  const mock = createMock({ store: first });
  const late = (await mock.world()).createStream({ name: 'under way' });
  await first.close();
  await late.catch(() => {});
  await during(path, async (second) => {
    await (await createMock({ store: second }).world()).createStream({ name: 'hers' });
    const written = await readFile(path, 'utf8');
    const answer = await mock.fetch(testRequest('POST /api/stream', { body: '{"name":"his"}' }));
    expect(answer.status).toBe(507);
    expect(await readErrors(answer)).toEqual([
      `data: expected a store that is open, got that of ${path}, which was closed; the change is made but not kept`,
    ]);
    expect(await readFile(path, 'utf8')).toBe(written);
  });
});

test('a killed predecessor leaves nothing that is in the way', async () => {
  const path = await newPath();
  await writeFile(`${path}.livestream-mock.tmp`, 'half a wor');
  await writeFile(`${path}.1-99-0123abcd.lock`, '');
  await during(path, async (store) => {
    expect(await readdir(join(path, '..'))).toEqual([expect.stringMatching(/\.lock$/)]);
    await (await createMock({ store }).world()).createStream({ name: 'kept' });
  });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
});

/** The worlds that a store finds whose lock names the port where `stranger` listens, and a process. */
async function namesBeside(stranger: Server, processId: number): Promise<readonly string[]> {
  const path = await newPath();
  stranger.listen(0);
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  await writeFile(`${path}.${port}-${processId}-0123abcd.lock`, '');
  return during(path, (store) => store.names());
}

test('who answers at the port of a killed predecessor is not taken for it', async () => {
  const stranger = createServer((socket) => socket.end('220 at your service'));
  expect(await namesBeside(stranger, process.pid)).toEqual([]);
});

test('who speaks only when spoken to is not taken for a killed predecessor', async () => {
  expect(await namesBeside(createHttpServer(), process.pid)).toEqual([]);
});

test('who says nothing is no predecessor whose process is gone', async () => {
  const beyondAny = 4_194_305;
  expect(
    await namesBeside(
      createServer(() => {}),
      beyondAny,
    ),
  ).toEqual([]);
});
