import { expect, test } from 'vitest';
import { testerHeader } from '../messages/tester-request.ts';
import { createMock } from '../mock.ts';
import { testKey, testRequest } from './request.test-support.ts';

const ask = () => testRequest('GET /_mock/worlds', { headers: { [testerHeader]: '1' } });

test('the worlds are listed by key, each with the number of its requests', async () => {
  const mock = createMock();
  await mock.fetch(ask());
  for (const path of ['stream', 'session']) {
    await mock.fetch(testRequest(`GET /api/${path}`, { authorization: 'Bearer test-other' }));
  }
  const response = await mock.fetch(ask());
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([
    { apiKey: testKey, requests: 0 },
    { apiKey: 'test-other', requests: 2 },
  ]);
});

test('a request that is refused for its key counts for the world that has it in its journal', async () => {
  const mock = createMock();
  await mock.fetch(testRequest('GET /api/stream', { authorization: 'Bearer unknown' }));
  expect(await (await mock.fetch(ask())).json()).toContainEqual({
    apiKey: 'test-demo',
    requests: 1,
  });
});

test('a mock that was started with its own keys lists none of them', async () => {
  const mock = createMock({ apiKeys: [testKey, 'an0ther-s3cret'] });
  const response = await mock.fetch(ask());
  expect(response.status).toBe(403);
  const text = await response.text();
  expect(text).toContain('worlds: expected a mock that accepts any key of the form test-');
  expect(text).not.toContain('s3cret');
});
