import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('a target that asked to wait once gets requests as fast as before, once it has answered some', async () => {
  const pace = createPace();
  pace.pause(0);
  const begin = performance.now();
  for (let count = 0; count < 60; count += 1) {
    await pace.turn();
    pace.quicken();
  }
  // At 50 ms each, they would take 3 s.
  expect(performance.now() - begin).toBeLessThan(1_500);
});

test('a rate holds, however fast the target answers', async () => {
  const pace = createPace(100);
  const begin = performance.now();
  for (let count = 0; count < 21; count += 1) {
    await pace.turn();
    pace.quicken();
  }
  expect(performance.now() - begin).toBeGreaterThanOrEqual(195);
});
