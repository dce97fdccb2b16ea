import './promise-with-resolvers.test-support.ts';
import { expect, vi } from 'vitest';
import { test } from './vitest.ts';

vi.mock('msw', () => import('msw-next'));
vi.mock('msw/node', () => import('msw-next/node'));

const headers = { authorization: 'Bearer test-demo' };

for (const name of ['one', 'two']) {
  test(`with msw 3, too, a test has a world of its own: ${name}`, async ({ mock }) => {
    await mock.createStream({ name });
    const response = await fetch('http://127.0.0.1:4100/api/stream', { headers });
    expect(await response.json()).toMatchObject([{ name }]);
    expect(mock.requests()).toMatchObject([{ operation: 'listStreams' }]);
  });
}
