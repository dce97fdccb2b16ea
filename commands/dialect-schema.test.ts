import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../tools/temporary.test-support.ts';
import { schemaFor } from './dialect-schema.ts';

test.each([
  ['dialect.json', './node_modules/livestream-mock/dist/dialect.schema.json'],
  ['test/mock/dialect.json', '../../node_modules/livestream-mock/dist/dialect.schema.json'],
])('%s in a project with the package refers to its schema', (file, schema) => {
  const project = temporaryFolder();
  const installed = join(project, 'node_modules', 'livestream-mock', 'dist');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'dialect.schema.json'), '{}');
  expect(schemaFor(join(project, file))).toBe(schema);
});

test('a file outside of any project refers to no schema', () => {
  expect(schemaFor(join(temporaryFolder(), 'dialect.json'))).toBeUndefined();
});
