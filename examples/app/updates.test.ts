import { expect, test } from 'vitest';
import { keepUpdated } from './updates.ts';

test('an action is announced once its result is shown, though another refresh has replaced its own', async () => {
  const events: string[] = [];
  const loads: ((news: string) => void)[] = [];
  const updates = keepUpdated<string>(
    () => new Promise((resolve) => loads.push(resolve)),
    (news) => events.push(`shown: ${news}`),
    { done: (text) => events.push(text), failed: () => () => undefined, clear: () => undefined },
  );
  const acted = updates.act('Created.', async () => undefined);
  await expect.poll(() => loads.length).toBe(1);
  const refreshed = updates.refresh();
  loads[0]?.('overtaken');
  setImmediate(() => loads[1]?.('the newest'));
  await Promise.all([acted, refreshed]);
  expect(events).toEqual(['shown: the newest', 'Created.']);
});
