import { expect } from '@playwright/test';
import type { World } from 'livestream-mock';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from '../app.ts';

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

test('an unknown route is refused as the service would', async ({ page }) => {
  const { status, body } = await send(page, { path: '/straem' });
  expect(status).toBe(404);
  expect(JSON.parse(body).errors[0]).toContain('GET /api/stream');
});

test('a wrong key is refused, and the refusal is in the journal', async ({ page, mock }) => {
  const headers = { authorization: 'Bearer wrong' };
  expect(await send(page, { path: '/stream', headers })).toMatchObject({ status: 401 });
  expect(mock.requests()).toMatchObject([{ operation: 'listStreams', answer: { status: 401 } }]);
});

test('a response without a body has none in the page', async ({ page, mock }) => {
  const { id } = await mock.createStream({ name: 'Harbour camera' });
  const path = `/stream/${id}/record`;
  const response = await send(page, { method: 'PATCH', path, body: { record: true } });
  expect(response).toMatchObject({ status: 204, body: '' });
});

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
  for (const first of [0, 100, 100_000_000]) {
    const { status, headers } = await send(page, { path, headers: { range: `bytes=${first}-` } });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${first}-${first + 4_194_303}/542374913`);
    expect(headers['content-length']).toBe('4194304');
  }
});

for (const [range, sent] of [
  ['bytes=100-5000099', 'bytes 100-5000099/542374913'],
  ['bytes=-5000000', 'bytes 537374913-542374912/542374913'],
] as const) {
  test(`a range of a given size is sent whole: ${range}`, async ({ page, mock }) => {
    const { path } = await record(mock);
    const { status, headers } = await send(page, { path, headers: { range } });
    expect(status).toBe(206);
    expect(headers).toMatchObject({ 'content-range': sent, 'content-length': '5000000' });
  });
}

async function record(mock: World): Promise<{ path: string }> {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  const session = await mock.start(id, { duration: 36_000 });
  return { path: `/../recordings/${session.id}/source.mp4` };
}
