import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { coveredBy, prefixOf, usualBaseUrl } from './address.ts';

/** Base address, address that is asked for, and whether a mock at the base address answers it. */
const addresses: readonly (readonly [string, string, boolean])[] = [
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
];

test.each(addresses)('a mock at %s, asked for %s, answers: %s', (baseUrl, url, answers) => {
  const covers = coveredBy(createMock({ prefix: prefixOf(baseUrl) }), baseUrl);
  expect(covers(url)).toBe(answers);
  expect(covers(new URL(url))).toBe(answers);
});

test('a mock with no base address given answers where the command line serves', () => {
  expect(coveredBy(createMock(), usualBaseUrl)('http://127.0.0.1:4100/api/stream')).toBe(true);
});

test('a world names its media at the origin of the base address', async () => {
  const mock = createMock({ world: 'demo' });
  coveredBy(mock, 'https://live.test/api');
  const [recording] = (await mock.world()).sessions().filter(({ mp4URL }) => mp4URL);
  expect(recording?.mp4URL).toMatch(/^https:\/\/live\.test\/recordings\//);
});

describe('a base address is refused', () => {
  test.each(['', 'live.test', '/api', 'ftp://live.test/api', 'data:,'])(
    'that is no whole URL of HTTP: "%s"',
    (baseUrl) => {
      expect(() => coveredBy(createMock(), baseUrl)).toThrow(
        new RangeError(
          `baseUrl: expected a whole URL such as http://127.0.0.1:4100/api, got "${baseUrl}"`,
        ),
      );
    },
  );

  test.each([
    ['/api', 'https://live.test/v1', 'a path of /api', "prefix: '/v1'"],
    ['/api', 'https://live.test', 'a path of /api', "prefix: ''"],
    ['', 'https://live.test/v1', 'a path of /', "prefix: '/v1'"],
  ])('that does not fit the prefix "%s": %s', (prefix, baseUrl, expected, advice) => {
    const refused = (): unknown => coveredBy(createMock({ prefix }), baseUrl);
    expect(refused).toThrow(RangeError);
    expect(refused).toThrow(expected);
    expect(refused).toThrow(advice);
  });
});
