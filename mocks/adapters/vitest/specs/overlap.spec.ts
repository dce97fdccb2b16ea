import { describe, expect } from 'vitest';
import { test } from '../vitest.ts';

describe.concurrent('two tests at once at one base URL', () => {
  for (const name of ['one', 'the other']) {
    test(name, async ({ mock }) => {
      await fetch('http://127.0.0.1:4100/api/stream', {
        headers: { authorization: `Bearer ${mock.apiKey}` },
      });
      expect(mock.requests()).toHaveLength(1);
    });
  }
});
