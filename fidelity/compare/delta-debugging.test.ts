import { expect, test } from 'vitest';
import { deltaDebug } from './delta-debugging.ts';

const thirty = Array.from({ length: 30 }, (_, index) => index);

/** What is left of thirty items, and how often it was asked for. */
async function leftOfThirty(isShownBy: (items: readonly number[]) => boolean) {
  let tries = 0;
  const left = await deltaDebug(thirty, async (fewer) => {
    tries += 1;
    return isShownBy(fewer);
  });
  return { left, tries };
}

test('only what is needed is left, in its order', async () => {
  const { left } = await leftOfThirty((items) => [3, 17, 18].every((one) => items.includes(one)));
  expect(left).toEqual([3, 17, 18]);
});

test('what shows without any item is found in one try', async () => {
  expect(await leftOfThirty(() => true)).toEqual({ left: [], tries: 1 });
});

test('everything is left if each item is needed', async () => {
  const { left, tries } = await leftOfThirty((items) => items.length === thirty.length);
  expect(left).toEqual(thirty);
  expect(tries).toBeLessThan(2 * thirty.length);
});

test('an item that was needed only because of another one goes as well', async () => {
  // Without the item 20, the item 10 cannot go.
  const { left } = await leftOfThirty(
    (items) => items.includes(5) && (items.includes(10) || !items.includes(20)),
  );
  expect(left).toEqual([5]);
});

test('nothing is asked of no items', async () => {
  expect(await deltaDebug([], () => Promise.reject(new Error('asked')))).toEqual([]);
});
