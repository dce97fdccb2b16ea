import { mkdir, rmdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Change } from '../state/change.ts';
import { during, newPath } from './file.test-support.ts';
import { apply, replaceBy, update } from './sample-changes.ts';

test('while a large world is written, changes of others are answered, and all are there in the end', async () => {
  const path = await newPath();
  const large = replaceBy(20_000);
  const order: string[] = [];
  await during(path, async (store) => {
    const change = async (name: string, change: Change): Promise<void> => {
      await store.append(name, [change], () => apply([replaceBy(1), change]));
      order.push(name);
    };
    await change('test-small', replaceBy(1));
    const written = store
      .append('test-large', [large], () => large)
      .then(() => order.push('large'));
    for (let now = 1; now <= 5; now++) await change('test-small', update({ now }));
    await written;
  });
  expect(order.indexOf('large')).toBe(6);
  await during(path, async (store) => {
    expect(apply(await store.open('test-large'))).toEqual(apply([large]));
    expect(apply(await store.open('test-small')).state.now).toBe(5);
  });
});

test('a large world that cannot be written is told, and is kept with the next change', async () => {
  const path = await newPath();
  const large = replaceBy(20_000);
  await during(path, async (store) => {
    const append = (change: Change) => store.append('test-large', [change], () => large);
    await append(replaceBy(0));
    await mkdir(`${path}.livestream-mock.tmp`);
    await expect(append(large)).rejects.toThrow('data: expected room for the change');
    await rmdir(`${path}.livestream-mock.tmp`);
    await append(update({ now: 1 }));
  });
  await during(path, async (store) => {
    expect(apply(await store.open('test-large'))).toEqual(apply([large]));
  });
});
