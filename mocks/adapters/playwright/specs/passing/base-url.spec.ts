import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';

test.use({ baseURL: 'http://app.test', livestream: { baseUrl: '/api' } });

test('a base URL that is a path is resolved by Playwright’s baseURL', async ({ page, mock }) => {
  await page.route('http://app.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>app</title>' }),
  );
  await page.goto('/');
  const status = await page.evaluate(async (key) => {
    const response = await fetch('/api/stream', { headers: { authorization: `Bearer ${key}` } });
    return response.status;
  }, mock.apiKey);
  expect(status).toBe(200);
  expect(mock.requests()).toMatchObject([{ operation: 'listStreams' }]);
});
