import { chmod, copyFile, link, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { combine } from '../state/state.ts';
import { replaceBy, stream, update } from './contract-samples.ts';
import { during, readWorlds } from './file.test-support.ts';
import { fileStore } from './file.ts';

test('a file that is much longer than its worlds is compacted when it is opened', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const { size } = await stat(path);
  expect(await readWorlds(path)).toEqual(worlds);
  expect((await stat(path)).size).toBeLessThan(size / 3);
  expect(await readWorlds(path)).toEqual(worlds);
  expect(await readdir(dirname(path))).toEqual(['state.json']);
});

test('a compacted file has the mode that it had, and is still locked', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const { size, ino } = await stat(path);
  await chmod(path, 0o640);
  await during(path, async () => {
    const compacted = await stat(path);
    expect(compacted.size).toBeLessThan(size);
    expect(compacted.ino).not.toBe(ino);
    expect(compacted.mode & 0o7777).toBe(0o640);
    await expect(fileStore(path)).rejects.toThrow(`which is open in process ${process.pid};`);
  });
  expect(await readWorlds(path)).toEqual(worlds);
});

test('a file with another name is not compacted, because that name would keep the old file', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const { size } = await stat(path);
  await link(path, `${path}.link`);
  expect(await readWorlds(path)).toEqual(worlds);
  expect((await stat(path)).size).toBe(size);
  expect(await readWorlds(`${path}.link`)).toEqual(worlds);
});

test('a file that cannot be compacted is used as it is', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const { size } = await stat(path);
  await mkdir(draftOf(path));
  expect(await readWorlds(path)).toEqual(worlds);
  expect((await stat(path)).size).toBe(size);
});

test('if a compaction is interrupted at any moment, no world is lost', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const copies: string[] = [];
  let drafts = 0;
  let isOver = false;
  const copyOn = async (): Promise<void> => {
    while (!isOver) {
      const copy = temporaryFile('state.json');
      await copyFile(path, copy);
      const copied = copyFile(draftOf(path), draftOf(copy)).then(() => 1);
      drafts += await copied.catch(() => 0);
      copies.push(copy);
    }
  };
  const compacted = readWorlds(path).finally(() => {
    isOver = true;
  });
  await Promise.all([compacted, copyOn()]);
  expect(drafts).toBeGreaterThan(0);
  for (const copy of copies) expect(await readWorlds(copy)).toEqual(worlds);
});

const draftOf = (path: string): string => `${path}.livestream-mock.tmp`;

/** A file of many changes, and the worlds in it after all of them. */
async function writeLong(path: string): Promise<Record<string, string>> {
  const begin = replaceBy(100);
  const changes = Array.from({ length: 3_000 }, (_, number) =>
    update({ now: number, streams: [stream(number % 3, `name ${number}`)] }),
  );
  const whole = () => combine([begin, ...changes]);
  await during(path, async (store) => {
    await store.append('test-a', [begin], () => begin);
    await store.append('test-b', [begin], () => begin);
    await store.append('test-a', changes, whole);
  });
  return { 'test-a': JSON.stringify(whole()), 'test-b': JSON.stringify(combine([begin])) };
}
