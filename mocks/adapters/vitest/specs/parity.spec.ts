import { test } from 'livestream-mock/vitest';
import { expect } from 'vitest';
import { compareResponses } from '../../compare.test-support.ts';
import { mockOptions, still } from '../../integration.test-support.ts';

const origin = 'https://livestream.test';
const baseUrl = `${origin}/api`;

test.override({ livestream: { baseUrl, ...mockOptions(still) } });

test('every response is what the mock itself sends, byte by byte', async () => {
  const options = { ...mockOptions(still), apiKeys: ['test-demo'] };
  const compared = await compareResponses(options, origin, (request) => fetch(request));
  expect(compared).toEqual({ differences: [], added: [] });
});
