import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change } from '../state/change.ts';
import { newPath, readWorlds } from './file.test-support.ts';
import { createLogWriter } from './log-writer.ts';
import { apply, replaceBy, stream, update } from './sample-changes.ts';

test('a log that is compacted while a change waits holds the state before or after it', async () => {
  const path = await newPath();
  const large = replaceBy(4_000);
  const small: Change[] = [replaceBy(2)];
  const worlds = new Map([
    ['test-large', () => [large]],
    ['test-small', () => [apply(small)]],
  ]);
  const writer = createLogWriter(path, worlds, undefined);
  await writer.write([]);
  await writer.write([['test-large', large]]);
  await writer.write([['test-large', large]]);
  expect(await writer.renew('compaction', true)).toBe(true);
  const kept = update({ streams: [stream(0, 'kept')] });
  small.push(kept);
  await writer.write([['test-small', kept]]);
  const states = [JSON.stringify(apply(small))];
  // It is made, but the process ends before it is written.
  small.push(update({ streams: [stream(0, 'late'), stream(1, 'late')] }));
  states.push(JSON.stringify(apply(small)));
  const { size } = await stat(path);
  while (await writer.renew('compaction', false));
  expect((await stat(path)).size).toBeLessThan(size);
  await writer.close();
  expect(states).toContain((await readWorlds(path))['test-small']);
});

test('a log that cannot be compacted goes on, until it has grown by as much again', async () => {
  const path = await newPath();
  const large = replaceBy(4_000);
  const writer = createLogWriter(path, new Map([['test-a', () => [large]]]), undefined);
  const grow = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await writer.write([['test-a', large]]);
  };
  await grow(3);
  expect(writer.isLong()).toBe(true);
  await mkdir(`${path}.livestream-mock.tmp`);
  await expect(writer.renew('compaction', true)).rejects.toThrow('.livestream-mock.tmp');
  await rmdir(`${path}.livestream-mock.tmp`);
  expect(writer.isLong()).toBe(false);
  await grow(4);
  expect(writer.isLong()).toBe(true);
  await writer.close();
  expect(await readdir(dirname(path))).toEqual(['state.json']);
  expect((await readWorlds(path))['test-a']).toBe(JSON.stringify(apply([large])));
});

test('a compaction that fails at its very end costs no change', async () => {
  const path = await newPath();
  const large = replaceBy(4_000);
  const writer = createLogWriter(path, new Map([['test-a', () => [large]]]), undefined);
  for (let time = 0; time < 3; time++) await writer.write([['test-a', large]]);
  expect(await writer.renew('compaction', true)).toBe(true);
  await rm(path);
  await mkdir(join(path, 'in the way'), { recursive: true });
  const compact = async (): Promise<void> => {
    while (await writer.renew('compaction', false));
  };
  await expect(compact()).rejects.toThrow('another file');
  await rm(path, { recursive: true });
  await expect(writer.write([['test-a', update({ now: 1 })]])).rejects.toThrow('ENOENT');
  await writer.write([['test-a', update({ now: 1 })]]);
  await writer.close();
  expect((await readWorlds(path))['test-a']).toBe(JSON.stringify(apply([large])));
});
