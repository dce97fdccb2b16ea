import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from './app.test-support.ts';

test.use({ livestream: { baseUrl } });
test.beforeEach(({ page }) => openApp(page));

for (const name of ['one', 'two']) {
  test(`a test has its own world: ${name}`, async ({ page, mock }) => {
    await send(page, { method: 'POST', path: '/stream', body: { name } });
    expect(mock.streams().map((stream) => stream.name)).toEqual([name]);
  });
}

test('the page sees what the test does, and the test what the page has sent', async ({
  page,
  mock,
}) => {
  const { id } = await mock.createStream({ name: 'Harbour camera' });
  await send(page, { method: 'PATCH', path: `/stream/${id}/record`, body: { record: true } });
  await mock.start(id);
  mock.clock.advance('10m');
  await mock.stop(id);
  mock.clock.advance('1s');
  const { body } = await send(page, { path: `/stream/${id}/sessions?record=1` });
  const mp4URL = expect.stringMatching(/^https:\/\/livestream\.test\/recordings\//);
  expect(JSON.parse(body)).toMatchObject([{ parentId: id, sourceSegmentsDuration: 600, mp4URL }]);
  const headers = { origin: 'https://app.test', 'content-type': 'application/json' };
  expect(mock.requests()[0]).toMatchObject({
    operation: 'setRecord',
    request: { url: `${baseUrl}/stream/${id}/record`, headers, body: '{"record":true}' },
    response: { status: 204 },
  });
});

test.describe('with a demo world and a key of its own', () => {
  test.use({ livestream: { baseUrl, world: 'demo', apiKey: 'secret-of-the-app' } });

  test('a page with the key sees the demo world, and one without does not', async ({ page }) => {
    const headers = { authorization: 'Bearer secret-of-the-app' };
    const response = await send(page, { path: '/stream', headers });
    expect(JSON.parse(response.body)).toHaveLength(6);
    expect(await send(page, { path: '/stream' })).toMatchObject({ status: 401 });
  });
});

test.describe('with a base URL that is a path', () => {
  test.use({ baseURL: 'https://app.test', livestream: { baseUrl: '/api' } });

  test('Playwright’s baseURL is that of the mock', async ({ page, mock }) => {
    const status = await page.evaluate(async (key) => {
      const response = await fetch('/api/stream', { headers: { authorization: `Bearer ${key}` } });
      return response.status;
    }, mock.apiKey);
    expect(status).toBe(200);
    expect(mock.requests()).toMatchObject([{ operation: 'listStreams' }]);
  });
});

test('the mock answers neither the request fixture nor a context that the test opens', async ({
  browser,
  page,
  request,
  mock,
}) => {
  for (const sender of [request, page.request]) {
    await expect(sender.get(`${baseUrl}/stream`)).rejects.toThrow('livestream.test');
  }
  const other = await browser.newPage();
  await expect(other.goto(`${baseUrl}/stream`)).rejects.toThrow(`at ${baseUrl}/stream`);
  await other.close();
  expect(mock.requests()).toEqual([]);
});

test('service workers are blocked', async ({ page }) => {
  const registrations = page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    return navigator.serviceWorker.getRegistrations();
  });
  expect(await registrations).toEqual([]);
});
