import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from './until.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what is found at once is returned without waiting', async () => {
  expect(await until(60_000, async () => 'found')).toBe('found');
  expect(vi.getTimerCount()).toBe(0);
});

test('what is found later is returned', async () => {
  let asked = 0;
  const found = until(60_000, async () => (++asked === 3 ? asked : undefined));
  await vi.runAllTimersAsync();
  expect(await found).toBe(3);
});

test('it asks at growing intervals, and a last time when its patience is over', async () => {
  const begin = performance.now();
  const times: number[] = [];
  const found = until(300, async () => void times.push(performance.now() - begin));
  await vi.runAllTimersAsync();
  expect(await found).toBeUndefined();
  expect(times).toEqual([0, 20, 60, 140, 300]);
});

test('an error of the probe ends the wait', async () => {
  const probe = (): Promise<never> => Promise.reject(new Error('gone'));
  await expect(until(60_000, probe)).rejects.toThrow('gone');
});
