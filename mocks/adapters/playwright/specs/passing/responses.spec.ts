import { expect } from '@playwright/test';
import type { World } from 'livestream-mock';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from '../app.test-support.ts';

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

test('HEAD says the length of the body that it does not send', async ({ page, mock }) => {
  const { path } = await record(mock);
  const { status, headers, body } = await send(page, { method: 'HEAD', path });
  expect({ status, body }).toEqual({ status: 200, body: '' });
  expect(Number(headers['content-length'])).toBeGreaterThan(500_000_000);
});

test('a range is sent byte for byte, and an unchanged file not again', async ({ page, mock }) => {
  const { path } = await record(mock);
  const part = await send(page, { path, headers: { range: 'bytes=4-7' } });
  expect(part).toMatchObject({
    status: 206,
    body: 'ftyp',
    headers: { 'content-length': '4', 'content-range': expect.stringMatching(/^bytes 4-7\/\d+$/) },
  });
  const again = { 'if-none-match': part.headers['etag'] ?? '' };
  expect(await send(page, { path, headers: again })).toMatchObject({ status: 304, body: '' });
});

test('a range without an end is cut short, and its headers say so', async ({ page, mock }) => {
  const { path } = await record(mock);
  for (const first of [0, 100_000_000]) {
    const { status, headers } = await send(page, { path, headers: { range: `bytes=${first}-` } });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${first}-${first + 4_194_303}/542374913`);
    expect(headers['content-length']).toBe('4194304');
  }
});

test('a range of a given size is sent whole', async ({ page, mock }) => {
  const { path } = await record(mock);
  const { status, headers } = await send(page, { path, headers: { range: 'bytes=-5000000' } });
  expect(status).toBe(206);
  const sent = 'bytes 537374913-542374912/542374913';
  expect(headers).toMatchObject({ 'content-range': sent, 'content-length': '5000000' });
});

async function record(mock: World): Promise<{ path: string }> {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  const session = await mock.start(id, { duration: 36_000 });
  return { path: `/../recordings/${session.id}/source.mp4` };
}
