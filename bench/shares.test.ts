import { expect, test } from 'vitest';
import { shares } from './shares.ts';

test('a bundle is split by whose code it is, the largest first', () => {
  const source = [
    "import 'node:fs';",
    '//#region node_modules/@msw/data/index.js',
    'const data = 1;'.repeat(20),
    '//#endregion',
    '//#region mocks/mock.ts',
    'const mock = 1;',
  ].join('\n');
  const more = `//#region node_modules/zod/v4/core.js\n${'zod();'.repeat(100)}`;
  expect(shares([source, more]).map(({ owner }) => owner)).toEqual([
    'zod',
    '@msw/data',
    'its own code',
  ]);
  const total = shares([source, more]).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total).toBe(source.length + more.length);
});
