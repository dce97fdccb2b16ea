import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from '../app.test-support.ts';

test.use({ livestream: { baseUrl } });
test.beforeEach(({ page }) => openApp(page));

for (const name of ['one', 'two']) {
  test(`a test has a world of its own: ${name}`, async ({ page, mock }) => {
    await send(page, { method: 'POST', path: '/stream', body: { name } });
    expect(mock.streams().map((stream) => stream.name)).toEqual([name]);
  });
}

test('the page sees what the test does', async ({ page, mock }) => {
  const { id } = await mock.createStream({ name: 'Harbour camera', record: true });
  await mock.start(id);
  mock.clock.advance('10m');
  await mock.stop(id);
  mock.clock.advance('1s');
  const { body } = await send(page, { path: `/stream/${id}/sessions?record=1` });
  expect(JSON.parse(body)).toMatchObject([
    {
      parentId: id,
      recordingStatus: 'ready',
      sourceSegmentsDuration: 600,
      mp4URL: expect.stringMatching(/^https:\/\/livestream\.test\/recordings\//),
    },
  ]);
});

test('the test sees what the page has sent, and what came of it', async ({ page, mock }) => {
  const { id } = await mock.createStream({ name: 'Harbour camera' });
  await send(page, { method: 'PATCH', path: `/stream/${id}/record`, body: { record: true } });
  const url = `${baseUrl}/stream/${id}/record`;
  const headers = { origin: 'https://app.test', 'content-type': 'application/json' };
  const request = { method: 'PATCH', url, headers, body: '{"record":true}' };
  expect(mock.requests()).toMatchObject([
    { operation: 'setRecord', request, answer: { status: 204 } },
  ]);
  expect(mock.streams()).toMatchObject([{ id, record: true }]);
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
