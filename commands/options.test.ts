import { expect, test } from 'vitest';
import { asOrigin } from './options.ts';

test.each([
  'http://localhost:5173',
  'https://app.test',
  'http://[::1]:4100',
  'capacitor://localhost',
])('%s is the origin of a page', (origin) => {
  expect(asOrigin(origin)).toBe(origin);
});
