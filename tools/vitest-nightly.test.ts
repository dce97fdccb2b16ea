import { readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { moreThorough } from './vitest-nightly.config.ts';

test.each(moreThorough)('the nightly run has a test file for %s', (path) => {
  const files = readdirSync(resolve(import.meta.dirname, '..', dirname(path)));
  const isTest = (file: string) => file.startsWith(`${basename(path)}.`) && /test\.ts$/.test(file);
  expect(files.filter(isTest)).toHaveLength(1);
});
