import { expect, test } from 'vitest';
import { serveMock, serveProxy } from '../../target/servers.test-support.ts';
import type { Result } from '../model/report.ts';
import { run } from '../run-suite.ts';

const apiKey = 'test-video';

test.each([
  ['848x480', 'pass', undefined],
  [
    '480x854',
    'unmet',
    expect.stringMatching(/^rendition \d: expected video of 480x854, .* got 854x480$/),
  ],
])('a rendition of 854x480 whose playlist states %s ends as %s', async (size, outcome, message) => {
  const result = await judge('/index.m3u8', (text) => text.replaceAll('854x480', size));
  expect(result).toMatchObject({ outcome, observations: [] });
  expect(result?.message).toEqual(message);
});

test('video that cannot be read does not fail', async () => {
  const result = await judge('/init.mp4', (text) =>
    text.replace(/stsd.{8}/s, `stsd${'\xff'.repeat(8)}`),
  );
  expect(result).toMatchObject({
    outcome: 'pass',
    observations: ['MEDIA-8 could not read any video'],
  });
});

test('a box that claims to have four billion entries is not read', async () => {
  const entries = `\x00\x00\x00\x20pssh\x01\x00\x00\x00${'\x00'.repeat(16)}\xff\xff\xff\xff`;
  const result = await judge(
    '/init.mp4',
    () => `\x00\x00\x00\x10ftypisom\x00\x00\x00\x00\x00\x00\x00\x28moov${entries}`,
  );
  expect(result?.observations).toEqual(['MEDIA-8 could not read any video']);
});

/** Checks the video of renditions after changing some files of recordings, whose bytes are given as characters. */
async function judge(file: string, change: (text: string) => string): Promise<Result | undefined> {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, async (request) => {
    if (!/\/recordings\//.test(request.url) || !request.url.endsWith(file)) return undefined;
    const response = await mock.fetch(request);
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return new Response(Buffer.from(change(text), 'latin1'));
  });
  const { baseUrl, controlUrl } = proxy;
  const { results } = await run({ apiKey, baseUrl, provider: { controlUrl }, only: ['MEDIA-8'] });
  return results[0];
}
