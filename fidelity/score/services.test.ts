// Not in test:quick: it compares a service with the mock.
import { expect, test } from 'vitest';
import { judgeService } from './services.ts';

test('a service unlike the mock is learned as it was written down, and then imitated', async () => {
  expect(await judgeService('unlike', 100)).toEqual({ deviations: [], differences: [] });
}, 240_000);
