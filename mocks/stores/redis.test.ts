import { describe, test } from 'vitest';
import { storeContract } from './contract.ts';
import { startRedis } from './redis.test-support.ts';
import { redisStore } from './redis.ts';

describe('the contract of a store: Redis', () => {
  test.each(storeContract)('$title', async ({ check }) => {
    const { url } = await startRedis();
    await check(() => redisStore(url));
  });
});
