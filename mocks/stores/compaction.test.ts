import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { combine } from '../state/state.ts';
import { replaceBy, stream, update } from './contract-samples.ts';
import { during, readWorlds } from './file.test-support.ts';

test('a file that is much longer than its worlds is compacted when it is opened', async () => {
  const path = temporaryFile('state.json');
  const worlds = await writeLong(path);
  const { size } = await stat(path);
  expect(await readWorlds(path)).toEqual(worlds);
  expect((await stat(path)).size).toBeLessThan(size / 3);
  expect(await readWorlds(path)).toEqual(worlds);
  expect(await readdir(dirname(path))).toEqual(['state.json']);
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
