import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pictures } from './dashboard-pictures.ts';

const root = resolve(import.meta.dirname, '..');

test('the docs show every picture', () => {
  const names = pictures.map(({ name }) => name);
  expect(readdirSync(join(root, 'docs/pictures')).toSorted()).toEqual(names.toSorted());
  const docs = ['README.md', 'docs/dashboard.md']
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('');
  for (const name of names) expect(docs).toContain(`pictures/${name})`);
});
