import { stat } from 'node:fs/promises';
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
  expect(await writer.compact()).toBe(true);
  const kept = update({ streams: [stream(0, 'kept')] });
  small.push(kept);
  await writer.write([['test-small', kept]]);
  const states = [JSON.stringify(apply(small))];
  // It is made, but the process ends before it is written.
  small.push(update({ streams: [stream(0, 'late'), stream(1, 'late')] }));
  states.push(JSON.stringify(apply(small)));
  const { size } = await stat(path);
  while (await writer.compact());
  expect((await stat(path)).size).toBeLessThan(size);
  await writer.close();
  expect(states).toContain((await readWorlds(path))['test-small']);
});
