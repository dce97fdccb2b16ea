import '../promise-with-resolvers.test-support.ts';
import { expect, vi } from 'vitest';
import { test } from './vitest.ts';

vi.mock('msw', () => import('msw-next'));
vi.mock('msw/node', () => import('msw-next/node'));

const headers = { authorization: 'Bearer test-demo' };

for (const name of ['one', 'two']) {
  test(`with msw 3 too, a test has a world to itself: ${name}`, async ({ mock }) => {
    await mock.createStream({ name });
    const answer = await fetch('http://127.0.0.1:4100/api/stream', { headers });
    expect(await answer.json()).toMatchObject([{ name }]);
    expect(mock.requests()).toMatchObject([{ operation: 'listStreams' }]);
  });
}

test('and it is msw 3 that stands behind the door', async () => {
  const behind = await import('msw/node');
  expect(behind.setupServer).toBe((await import('msw-next/node')).setupServer);
});
