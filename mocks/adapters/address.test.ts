import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { coveredBy, prefixOf, usualBaseUrl } from './address.ts';

const addresses: readonly { baseUrl: string; url: string; answers: boolean }[] = [
  { baseUrl: 'https://live.test/api', url: 'https://live.test/api', answers: true },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/api/', answers: true },
  {
    baseUrl: 'https://live.test/api',
    url: 'https://live.test/api/stream/1?limit=2',
    answers: true,
  },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/api/no/such/route', answers: true },
  { baseUrl: 'https://live.test/api/', url: 'https://live.test/api/stream', answers: true },
  { baseUrl: 'https://LIVE.test:443/api', url: 'https://live.test/api/stream', answers: true },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/apiary', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/v1/api/stream', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/', answers: false },
  { baseUrl: 'https://live.test/api', url: 'http://live.test/api/stream', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://live.test:8443/api/stream', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://other.test/api/stream', answers: false },
  { baseUrl: 'https://live.test/api', url: 'data:text/plain,/api/stream', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/_mock/reset', answers: true },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/hls/p/index.m3u8', answers: true },
  {
    baseUrl: 'https://live.test/api',
    url: 'https://live.test/recordings/s/source.mp4',
    answers: true,
  },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/openapi.json', answers: true },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/openapi.jsonc', answers: false },
  { baseUrl: 'https://live.test/api', url: 'https://live.test/recordings.html', answers: false },
  { baseUrl: 'https://live.test/v1/live', url: 'https://live.test/v1/live/stream', answers: true },
  { baseUrl: 'https://live.test/v1/live', url: 'https://live.test/v1/lives', answers: false },
  { baseUrl: 'https://live.test', url: 'https://live.test/stream', answers: true },
  { baseUrl: 'https://live.test/', url: 'https://live.test/', answers: true },
];

test.each(addresses)('a mock at $baseUrl answers $url: $answers', ({ baseUrl, url, answers }) => {
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

describe('a base address is refused', () => {
  test.each(['', 'live.test', '/api', 'ftp://live.test/api', 'data:,'])(
    'that is not a whole HTTP URL: "%s"',
    (baseUrl) => {
      expect(() => coveredBy(createMock(), baseUrl)).toThrow(
        new RangeError(
          `baseUrl: expected a whole URL such as http://127.0.0.1:4100/api, got "${baseUrl}"`,
        ),
      );
    },
  );

  test.each([
    {
      prefix: '/api',
      baseUrl: 'https://live.test/v1',
      expected: 'a path of /api',
      advice: "prefix: '/v1'",
    },
    {
      prefix: '/api',
      baseUrl: 'https://live.test',
      expected: 'a path of /api',
      advice: "prefix: ''",
    },
    {
      prefix: '',
      baseUrl: 'https://live.test/v1',
      expected: 'a path of /',
      advice: "prefix: '/v1'",
    },
  ])(
    'that does not fit the prefix "$prefix": $baseUrl',
    ({ prefix, baseUrl, expected, advice }) => {
      const refused = (): unknown => coveredBy(createMock({ prefix }), baseUrl);
      expect(refused).toThrow(RangeError);
      expect(refused).toThrow(expected);
      expect(refused).toThrow(advice);
    },
  );
});
