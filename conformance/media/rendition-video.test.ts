import { expect, onTestFinished, test, vi } from 'vitest';
import type { Result } from '../model/report.ts';
import { run } from '../run.ts';
import { serveMock, serveProxy } from '../servers.test-support.ts';

const apiKey = 'test-video';

test('a rendition that is not as large as the playlist says is told with both sizes', async () => {
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

test('video that cannot be read is no fault, and the console says nothing of it', async () => {
  const said = vi.fn();
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, method).mockImplementation(said);
    onTestFinished(() => spy.mockRestore());
  }
  const { result } = await judge('MEDIA-8', ({ url, text }) =>
    url.endsWith('/init.mp4') ? text.replace(/stsd.{8}/s, `stsd${'\xff'.repeat(8)}`) : text,
  );
  expect(result).toMatchObject({ outcome: 'pass', observations: ['MEDIA-8 could read no video'] });
  expect(said).not.toHaveBeenCalled();
});

/** How a requirement fares where files of recordings are changed, each byte a character. */
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
