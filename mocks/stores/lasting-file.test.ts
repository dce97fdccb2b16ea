import { fstatSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { openLasting } from './lasting-file.ts';

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let round = 0; round < 5; round++) {
    collect();
    await nextTurn();
  }
}

test('a file to which nothing refers stays open', async () => {
  const path = temporaryFile('worlds.jsonl', '');
  const descriptor = await openLasting(path, 'r').then(({ fd }) => fd);
  await collectGarbage();
  expect(fstatSync(descriptor).ino).toBe(statSync(path).ino);
});
