import { expect } from '@playwright/test';
import { run } from 'livestream-mock/conformance';
import { test } from 'livestream-mock/playwright';
import { compareResponses } from '../../../compare.test-support.ts';
import { mockOptions, running, still } from '../../../integration.test-support.ts';
import { sendInPage } from '../../../send-in-page.test-support.ts';

const origin = 'https://livestream.test';
const baseUrl = `${origin}/api`;
const apiKey = 'test-demo';

// A page of the mock's own origin sees every header.
test.beforeEach(async ({ page }) => {
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(origin);
});

test.describe('while time stands still', () => {
  test.use({ livestream: { baseUrl, ...mockOptions(still) } });

  test('every response is what the mock itself sends, byte by byte', async ({ page }) => {
    const options = { ...mockOptions(still), apiKeys: [apiKey] };
    const compared = await compareResponses(options, origin, (request) =>
      sendInPage(page, request),
    );
    expect(compared).toEqual({ differences: [], added: ['content-length'] });
  });
});

test.describe('while time runs', () => {
  test.use({ livestream: { baseUrl, ...mockOptions(running) } });

  test('the mock is conformant', async ({ page }) => {
    // A whole run goes through the page: on a busy machine that takes more than half a minute.
    test.slow();
    const provider = { controlUrl: `${origin}/_mock` };
    const send = (request: Request): Promise<Response> => sendInPage(page, request);
    const report = await run({ apiKey, baseUrl, send, provider });
    expect(report.reasons).toEqual([]);
    expect(report.verdict).toBe('conformant');
  });
});
