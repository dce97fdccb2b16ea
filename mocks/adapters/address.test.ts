import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { coveredBy, prefixOf, usualBaseUrl } from './address.ts';

test.each<[baseUrl: string, url: string, answers: boolean]>([
  ['https://live.test/api', 'https://live.test/api', true],
  ['https://live.test/api', 'https://live.test/api/', true],
  ['https://live.test/api', 'https://live.test/api/stream/1?limit=2', true],
  ['https://live.test/api', 'https://live.test/api/no/such/route', true],
  ['https://live.test/api/', 'https://live.test/api/stream', true],
  ['https://LIVE.test:443/api', 'https://live.test/api/stream', true],
  ['https://live.test/api', 'https://live.test/apiary', false],
  ['https://live.test/api', 'https://live.test/v1/api/stream', false],
  ['https://live.test/api', 'https://live.test/', false],
  ['https://live.test/api', 'http://live.test/api/stream', false],
  ['https://live.test/api', 'https://live.test:8443/api/stream', false],
  ['https://live.test/api', 'https://other.test/api/stream', false],
  ['https://live.test/api', 'data:text/plain,/api/stream', false],
  ['https://live.test/api', 'https://live.test/_mock/reset', true],
  ['https://live.test/api', 'https://live.test/hls/p/index.m3u8', true],
  ['https://live.test/api', 'https://live.test/recordings/s/source.mp4', true],
  ['https://live.test/api', 'https://live.test/openapi.json', true],
  ['https://live.test/api', 'https://live.test/openapi.jsonc', false],
  ['https://live.test/api', 'https://live.test/recordings.html', false],
  ['https://live.test/v1/live', 'https://live.test/v1/live/stream', true],
  ['https://live.test/v1/live', 'https://live.test/v1/lives', false],
  ['https://live.test', 'https://live.test/stream', true],
  ['https://live.test/', 'https://live.test/', true],
])('a mock at %s answers %s: %s', (baseUrl, url, answers) => {
  const covers = coveredBy(createMock({ prefix: prefixOf(baseUrl) }), baseUrl);
  expect(covers(url)).toBe(answers);
  expect(covers(new URL(url))).toBe(answers);
});

test('the usual base address is the one at which the command line serves', () => {
  expect(coveredBy(createMock(), usualBaseUrl)('http://127.0.0.1:4100/api/stream')).toBe(true);
});

test('the media addresses of a world have the origin of the base address', async () => {
  const mock = createMock({ world: 'demo' });
  coveredBy(mock, 'https://live.test/api');
  const [recording] = (await mock.world()).sessions().filter(({ mp4URL }) => mp4URL);
  expect(recording?.mp4URL).toMatch(/^https:\/\/live\.test\/recordings\//);
});

test.each(['', 'live.test', '/api', 'ftp://live.test/api', 'data:,'])(
  'a base address that is not a whole HTTP URL is refused: "%s"',
  (baseUrl) => {
    expect(() => coveredBy(createMock(), baseUrl)).toThrow(
      new RangeError(
        `baseUrl: expected a whole URL such as http://127.0.0.1:4100/api, got "${baseUrl}"`,
      ),
    );
  },
);

test.each([
  ['/api', 'https://live.test/v1', '/api', '/v1'],
  ['/api', 'https://live.test', '/api', ''],
  ['', 'https://live.test/v1', '/', '/v1'],
])('with the prefix "%s", the base address %s is refused', (prefix, baseUrl, path, other) => {
  expect(() => coveredBy(createMock({ prefix }), baseUrl)).toThrow(
    new RangeError(
      `baseUrl: expected a path of ${path}, the mock's prefix, got "${baseUrl}"; createMock({ prefix: '${other}' }) answers there`,
    ),
  );
});
