import { expect, test } from 'vitest';
import { interleaved, median } from './statistics.ts';

test.each([
  [[3], 3],
  [[10, 2, 3], 3],
  [[100, 1, 3, 2], 2],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('series are measured in turn, and each gives its median', async () => {
  const order: string[] = [];
  const medians = await interleaved(['ours', 'theirs'], 3, async (name) => {
    order.push(name);
    return order.length;
  });
  expect(order).toEqual(['ours', 'theirs', 'ours', 'theirs', 'ours', 'theirs']);
  expect(medians).toEqual({ ours: 3, theirs: 4 });
});
