import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { coveredBy, defaultBaseUrl, prefixOf } from './base-url.ts';

test.each<[baseUrl: string, url: string, answers: boolean]>([
  ['https://live.test/api', 'https://live.test/api', true],
  ['https://live.test/api', 'https://live.test/api/stream/1?limit=2', true],
  ['https://LIVE.test:443/api/', 'https://live.test/api/stream', true],
  ['https://live.test/api', 'https://live.test/apiary', false],
  ['https://live.test/api', 'http://live.test/api/stream', false],
  ['https://live.test/api', 'https://live.test:8443/api/stream', false],
  ['https://live.test/api', 'https://live.test/_mock/reset', true],
  ['https://live.test/api', 'https://live.test/recordings/s/source.mp4', true],
  ['https://live.test/api', 'https://live.test/openapi.json', true],
  ['https://live.test/api', 'https://live.test/openapi.jsonc', false],
  ['https://live.test/', 'https://live.test/stream', true],
  [defaultBaseUrl, 'http://127.0.0.1:4100/api/stream', true],
])('a mock at %s answers %s: %s', (baseUrl, url, answers) => {
  const covers = coveredBy(createMock({ prefix: prefixOf(baseUrl) }), baseUrl);
  expect([covers(url), covers(new URL(url))]).toEqual([answers, answers]);
});

test('a mock answers at the origin where its dialect has a route, but not at the root, where an app may have its page', () => {
  const paths = ['!/healthz', '!/status/{id}', '!/', '/user/me'];
  const routes = paths.map((path) => ({ method: 'GET', path, status: 200 }) as const);
  const covers = coveredBy(
    createMock({ dialect: { dialect: 3, routes } }),
    'https://live.test/api',
  );
  const covered = ['/healthz', '/status/1', '/', '/user/me', '/status'].map((path) =>
    covers(`https://live.test${path}`),
  );
  expect(covered).toEqual([true, true, false, false, false]);
});

test('the media addresses of a world have the origin of the base URL', async () => {
  const mock = createMock({ world: 'demo' });
  coveredBy(mock, 'https://live.test/api');
  const [recording] = (await mock.world()).sessions().filter(({ mp4URL }) => mp4URL);
  expect(recording?.mp4URL).toMatch(/^https:\/\/live\.test\/recordings\//);
});

test.each(['', '/api', 'ftp://live.test/api'])(
  'a base URL that is not a whole HTTP URL is refused: "%s"',
  (baseUrl) => {
    expect(() => coveredBy(createMock(), baseUrl)).toThrow(
      `baseUrl: expected a whole URL such as http://127.0.0.1:4100/api, got "${baseUrl}"`,
    );
  },
);

test('a route at the origin is also covered with a last slash', () => {
  const routes = [{ method: 'GET', path: '!/healthz', status: 200 }] as const;
  const mock = createMock({ dialect: { dialect: 3, routes } });
  expect(coveredBy(mock, 'https://live.test/api')('https://live.test/healthz/')).toBe(true);
});

test('a base URL with another path than the prefix is refused', () => {
  expect(() => coveredBy(createMock(), 'https://live.test/v1')).toThrow(
    `baseUrl: expected a path of /api, the mock's prefix, got "https://live.test/v1"; createMock({ prefix: '/v1' }) answers there`,
  );
});

test.each([
  ['https://livestream.test/api', 'https://media.livestream.test/recordings/1/index.m3u8'],
  ['http://127.0.0.1:4100/api', 'http://localhost:4100/recordings/1/index.m3u8'],
])('a mock with a variant at %s also answers at %s', (baseUrl, media) => {
  const variant = 'media-on-another-host';
  expect(coveredBy(createMock({ variant }), baseUrl)(media)).toBe(true);
  expect(coveredBy(createMock(), baseUrl)(media)).toBe(false);
});
