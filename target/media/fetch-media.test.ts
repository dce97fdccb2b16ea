import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { CheckFailure } from '../requests/failure.ts';
import { readTarget } from '../requests/target.ts';
import { serveHttp } from '../servers.test-support.ts';
import { fetchMedia, mediaAddressOf } from './fetch-media.ts';

const apiKey = 'test-media-address';

describe('media is not fetched from', () => {
  test.each([
    'file:///etc/passwd',
    'data:text/plain,a',
    'http://user@127.0.0.1/',
    'http://:password@127.0.0.1/',
    '/relative',
    'http://',
    `http://127.0.0.1/${'a'.repeat(1_000_000)}`,
  ])('the address %.40s', async (address) => {
    const error = await media(address).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CheckFailure);
    expect(String(error)).toMatch(/^CheckFailure: address: expected an http or https URL/);
    expect(String(error).length).toBeLessThan(300);
  });

  test('a redirect to a file', async () => {
    const { origin, received } = await serveHttp(redirect(() => 'file:///etc/passwd'));
    await expect(media(`${origin}/a`)).rejects.toThrow(CheckFailure);
    expect(received).toHaveLength(1);
  });

  test('a redirect loop', async () => {
    const { origin, received } = await serveHttp(redirect((url) => (url === '/a' ? '/b' : '/a')));
    await expect(media(`${origin}/a`)).rejects.toThrow(/at most 5 redirects/);
    expect(received).toHaveLength(6);
  });
});

test('media is fetched over a redirect to another origin, and no origin gets the key', async () => {
  const far = await serveHttp((_, response) => response.end('media'));
  const near = await serveHttp(redirect(() => `${far.origin}/far`));
  const response = await media(`${near.origin}/near`);
  expect(response).toMatchObject({ status: 200, text: 'media', url: `${far.origin}/far` });
  const received = [...near.received, ...far.received];
  expect(received.map(({ url }) => url)).toEqual(['/near', '/far']);
  expect(JSON.stringify(received)).not.toContain(apiKey);
});

test('media is asked for again where its server asks to wait', async () => {
  const { origin, received } = await serveHttp((_, response) => {
    const isFirst = received.length === 1;
    response.writeHead(isFirst ? 429 : 200, { 'retry-after': '0' }).end(isFirst ? '' : 'media');
  });
  expect(await media(`${origin}/a`)).toMatchObject({ status: 200, text: 'media' });
  expect(received).toHaveLength(2);
});

function media(address: string): ReturnType<typeof fetchMedia> {
  const target = readTarget({ baseUrl: 'http://a.test', apiKey, timeout: 2_000 });
  return fetchMedia(target, mediaAddressOf({}, address), () => {});
}

function redirect(to: (url: string) => string): RequestListener {
  return ({ url = '' }, response) => response.writeHead(302, { location: to(url) }).end();
}
