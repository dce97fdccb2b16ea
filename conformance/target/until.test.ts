import { expect, test } from 'vitest';
import { until } from './until.ts';

test('what is found at once is returned without waiting', async () => {
  const begin = performance.now();
  expect(await until(60_000, async () => 'found')).toBe('found');
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test('what is found later is returned', async () => {
  let asked = 0;
  expect(await until(60_000, async () => (++asked === 3 ? asked : undefined))).toBe(3);
});

test('patience ends in time, after a last look, having asked at growing intervals', async () => {
  const begin = performance.now();
  const times: number[] = [];
  const found = await until(300, async () => void times.push(performance.now() - begin));
  expect(found).toBeUndefined();
  expect(performance.now() - begin).toBeLessThan(1_500);
  expect(times.at(-1)).toBeGreaterThan(290);
  expect(times.length).toBeGreaterThan(1);
  expect(times.length).toBeLessThan(8);
});

test('a failure to look ends the wait', async () => {
  const probe = (): Promise<never> => Promise.reject(new Error('gone'));
  await expect(until(60_000, probe)).rejects.toThrow('gone');
});
