import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { requestPath } from './request-path.ts';

test.each([
  ['http://a.test/api/stream', '/api/stream'],
  ['http://a.test/api/stream/?a=/%61#/b', '/api/stream/'],
  ['http://[::1]:80/a#/b?c', '/a'],
  ['http://a.test/%5Fmock/%63lock', '/_mock/clock'],
  ['http://a.test/%2561%2F%3f%c3%a4', '/%2561%2F%3fä'],
  ['http://a.test/%61/%', '/%61/%'],
  ['http://a.test/%61/%ff', '/%61/%ff'],
])('the path of %s is %s', (url, path) => {
  expect(requestPath({ url })).toBe(path);
});

test.each([
  ['a segment', '%ff%'.repeat(3_500)],
  ['many segments', '%ff/'.repeat(3_500)],
])('thousands of invalid escapes in %s take no longer than other characters', async (_, path) => {
  const mocks = [
    createMock(),
    createMock({ dialect: { dialect: 3, behaviours: { 'http.head': 'as-get' } } }),
  ];
  const start = performance.now();
  for (let sent = 0; sent < 20; sent++) {
    for (const mock of mocks) {
      const { status } = await mock.fetch(new Request(`http://a.test/api/stream/${path}`));
      expect(status).toBeGreaterThanOrEqual(401);
    }
  }
  expect(performance.now() - start).toBeLessThan(1_500);
});
