import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from './app.test-support.ts';

test.use({ livestream: { baseUrl, variant: 'media-on-another-host+keys-more' } });
test.beforeEach(({ page }) => openApp(page));

test('a page meets the variant of its test, and reaches media on another host', async ({
  page,
  mock,
}) => {
  const { id } = await mock.createStream({ name: 'Harbour camera', record: true });
  await mock.start(id, { duration: 4 });
  mock.clock.advance('1m');
  const { body } = await send(page, { path: `/stream/${id}/sessions?record=1` });
  const [session] = JSON.parse(body);
  expect(session).toMatchObject({ parentId: id, more: { of: [1, null] } });
  expect(session.recordingUrl).toMatch(/^https:\/\/media\.livestream\.test\/recordings\//);
  const playlist = await page.evaluate(
    async (url) => (await fetch(url)).text(),
    session.recordingUrl as string,
  );
  expect(playlist).toContain('#EXTINF');
  expect(mock.sessions(id)[0]).not.toHaveProperty('more');
});
