import { describe, expect } from 'vitest';
import { test } from '../vitest.ts';

// Each of these tests ends badly, or almost does; `vitest.process.test.ts` reads what is said of it.

const baseUrl = 'https://livestream.test/api';
const headers = { authorization: 'Bearer test-demo' };

describe('on a clock that stands still', () => {
  test.override({ livestream: { baseUrl } });

  test('a delayed request', { timeout: 300 }, async ({ mock }) => {
    mock.addFault({ effect: 'delay', delay: '2s' });
    await fetch(`${baseUrl}/stream`, { headers });
  });

  test('a response that is sent slowly', { timeout: 300 }, async ({ mock }) => {
    mock.addFault({ effect: 'drip', bytesPerSecond: 1, operation: 'listStreams' });
    const response = await fetch(`${baseUrl}/stream`, { headers });
    await response.text();
  });

  test('a delayed request that nobody waits for', async ({ mock }) => {
    mock.addFault({ effect: 'delay', delay: '2s' });
    void fetch(`${baseUrl}/stream`, { headers });
    await expect.poll(() => mock.faults[0]?.matched).toBe(1);
  });
});

describe('on a running clock', () => {
  test.override({ livestream: { baseUrl, now: Date.now } });

  test('a long delay', { timeout: 300 }, async ({ mock }) => {
    mock.addFault({ effect: 'delay', delay: '1h' });
    await fetch(`${baseUrl}/stream`, { headers });
  });
});

describe('with onUnhandledRequest', () => {
  test.override({ livestream: { baseUrl, onUnhandledRequest: 'error' } });

  test('a request to another address', async () => {
    await fetch('https://livestream.test/v2/stream?key=secret').catch(() => {});
  });

  test('an asset of another address', async () => {
    await fetch('https://livestream.test/logo.png').catch(() => {});
  });
});
