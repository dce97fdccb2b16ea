import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from './scheduling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('until asks at growing intervals, and a last time when the time is over', async () => {
  const begin = performance.now();
  const times: number[] = [];
  const found = until(300, async () => void times.push(performance.now() - begin));
  await vi.runAllTimersAsync();
  expect(await found).toBeUndefined();
  expect(times).toEqual([0, 20, 60, 140, 300]);
});
