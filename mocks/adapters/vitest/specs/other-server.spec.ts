import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test as plain } from 'vitest';
import { test } from '../vitest.ts';

const other = setupServer(http.get('https://other.test/', () => HttpResponse.json('other')));
beforeAll(() => other.listen());
afterAll(() => other.close());

const fetchOther = (): Promise<Response> => fetch('https://other.test/');

plain('another server answers before', async () => {
  expect((await fetchOther()).status).toBe(200);
});

test('not in a test with a mock', async ({ mock }) => {
  await expect(fetchOther()).rejects.toThrow('fetch failed');
  expect(mock.requests()).toEqual([]);
});

plain('and not after it', async () => {
  await expect(fetchOther()).rejects.toThrow('fetch failed');
});
