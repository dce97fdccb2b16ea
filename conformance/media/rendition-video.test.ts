import { expect, onTestFinished, test, vi } from 'vitest';
import type { Result } from '../model/report.ts';
import { run } from '../run.ts';
import { serveMock, serveProxy } from '../servers.test-support.ts';

const apiKey = 'test-video';

test('a rendition of another size than the playlist states fails with both sizes', async () => {
  const { result } = await judge('MEDIA-8', ({ url, text }) =>
    url.endsWith('/index.m3u8') ? text.replaceAll('854x480', '848x480') : text,
  );
  expect(result).toMatchObject({ outcome: 'pass', observations: [] });
  const { result: wrong } = await judge('MEDIA-8', ({ url, text }) =>
    url.endsWith('/index.m3u8') ? text.replaceAll('854x480', '480x854') : text,
  );
  expect(wrong?.outcome).toBe('fail');
  expect(wrong?.message).toMatch(/^rendition \d: expected video of 480x854, .* got 854x480$/);
});

test('video that cannot be read does not fail, and nothing is written to the console', async () => {
  const written = vi.fn();
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation(written);
    onTestFinished(() => spy.mockRestore());
  }
  const { result } = await judge('MEDIA-8', ({ url, text }) =>
    url.endsWith('/init.mp4') ? text.replace(/stsd.{8}/s, `stsd${'\xff'.repeat(8)}`) : text,
  );
  expect(result).toMatchObject({
    outcome: 'pass',
    observations: ['MEDIA-8 could not read any video'],
  });
  expect(written).not.toHaveBeenCalled();
});

test('a box that claims to have four billion entries is not read', async () => {
  const entries = `\x00\x00\x00\x20pssh\x01\x00\x00\x00${'\x00'.repeat(16)}\xff\xff\xff\xff`;
  const { result } = await judge('MEDIA-8', ({ url, text }) =>
    url.endsWith('/init.mp4')
      ? `\x00\x00\x00\x10ftypisom\x00\x00\x00\x00\x00\x00\x00\x28moov${entries}`
      : text,
  );
  expect(result?.observations).toEqual(['MEDIA-8 could not read any video']);
});

/** Checks a requirement with the files of recordings changed, each byte as one character. */
async function judge(
  id: string,
  change: (file: { readonly url: string; readonly text: string }) => string,
): Promise<{ readonly result: Result | undefined }> {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, async (request) => {
    if (!request.url.includes('/recordings/')) return undefined;
    const response = await mock.fetch(request);
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    return new Response(Buffer.from(change({ url: request.url, text }), 'latin1'));
  });
  const provider = { controlUrl: proxy.controlUrl };
  const { results } = await run({ apiKey, baseUrl: proxy.baseUrl, provider, only: [id] });
  return { result: results[0] };
}
