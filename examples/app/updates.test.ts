import { expect, test } from 'vitest';
import { keepUpdated } from './updates.ts';

test('what was done is told once it is shown, though another refresh has overtaken its own', async () => {
  const told: string[] = [];
  const loads: ((news: string) => void)[] = [];
  const updates = keepUpdated<string>(
    () => new Promise((resolve) => loads.push(resolve)),
    (news) => told.push(`shown: ${news}`),
    { done: (text) => told.push(text), failed: () => () => undefined, clear: () => undefined },
  );
  const acted = updates.act('Created.', async () => undefined);
  await expect.poll(() => loads.length).toBe(1);
  const refreshed = updates.refresh();
  loads[0]?.('overtaken');
  setImmediate(() => loads[1]?.('the newest'));
  await Promise.all([acted, refreshed]);
  expect(told).toEqual(['shown: the newest', 'Created.']);
});
