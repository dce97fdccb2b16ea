import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { during, newFolder, newPath } from './file.test-support.ts';
import { fileStore } from './file.ts';

test('one mock at a time has a file', async () => {
  const path = await newPath();
  const link = join(await newFolder(), 'link');
  await symlink(path, link);
  await during(path, async (store) => {
    await createMock({ store }).world();
    for (const name of [path, link]) {
      await expect(fileStore(name)).rejects.toThrow(
        `data: expected a file that no other mock has open, got ${path}, which process ${process.pid} has; stop that one, or give another file`,
      );
    }
  });
  await during(path, (store) => store.names());
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
      `data: expected room for the change in ${path}, got a store that was closed; it is not kept`,
    ]);
    expect(await readFile(path, 'utf8')).toBe(written);
  });
});

test('a killed predecessor leaves nothing that is in the way', async () => {
  const path = await newPath();
  await writeFile(`${path}.livestream-mock.tmp`, 'half a wor');
  await during(path, async (store) => {
    expect(await readdir(join(path, '..'))).toEqual([]);
    await (await createMock({ store }).world()).createStream({ name: 'kept' });
  });
  expect(await readdir(join(path, '..'))).toEqual(['state.json']);
});
