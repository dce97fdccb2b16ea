import { run } from 'livestream-mock/conformance';
import { test } from 'livestream-mock/vitest';
import { describe, expect } from 'vitest';
import { compareResponses } from '../../compare.test-support.ts';
import { mockOptions, running, still } from '../../integration.test-support.ts';

const origin = 'https://livestream.test';
const baseUrl = `${origin}/api`;
const apiKey = 'test-demo';

describe('while time stands still', () => {
  test.override({ livestream: { baseUrl, ...mockOptions(still) } });

  test('every response is what the mock itself sends, byte by byte', async () => {
    const options = { ...mockOptions(still), apiKeys: [apiKey] };
    const compared = await compareResponses(options, origin, (request) => fetch(request));
    expect(compared).toEqual({ differences: [], added: [] });
  });
});

describe('while time runs', () => {
  test.override({ livestream: { baseUrl, ...mockOptions(running) } });

  test('the mock is conformant', async () => {
    const provider = { controlUrl: `${origin}/_mock` };
    const report = await run({ apiKey, baseUrl, send: (request) => fetch(request), provider });
    expect(report.reasons).toEqual([]);
    expect(report.verdict).toBe('conformant');
  });
});
