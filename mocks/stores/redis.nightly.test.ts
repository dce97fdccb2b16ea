import { expect, test } from 'vitest';
import { startProcess, startRedis } from './redis.test-support.ts';

// This takes ten seconds, after which a connection is given up.
test('a Redis that hangs counts as away after a while', async () => {
  const redis = await startRedis();
  const { create, read } = await startProcess(redis.url);
  redis.signal('SIGSTOP');
  expect((await read()).status).toBe(503);
  redis.signal('SIGCONT');
  await expect.poll(async () => (await create('after')).status).toBe(201);
});
