import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { compareResponses } from '../../../compare.test-support.ts';
import { mockOptions, still } from '../../../integration.test-support.ts';
import { sendInPage } from '../../../send-in-page.test-support.ts';

const origin = 'https://livestream.test';
const baseUrl = `${origin}/api`;

// A page of the mock's own origin sees every header.
test.beforeEach(async ({ page }) => {
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(origin);
});

test.use({ livestream: { baseUrl, ...mockOptions(still) } });

test('every response is what the mock itself sends, byte by byte', async ({ page }) => {
  const options = { ...mockOptions(still), apiKeys: ['test-demo'] };
  const compared = await compareResponses(options, origin, (request) => sendInPage(page, request));
  expect(compared).toEqual({ differences: [], added: ['content-length'] });
});
