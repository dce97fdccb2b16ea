import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makePictures, pictures } from './dashboard-pictures.ts';
import { program } from './program.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');
const namesOf = (folder: string) => readdirSync(folder).toSorted();

test('every picture of the docs can be made anew', async () => {
  const folder = temporaryFolder();
  await makePictures(folder, program('browser'));
  expect(namesOf(folder)).toEqual(namesOf(join(root, 'docs/pictures')));
  for (const { name, width, height } of pictures) {
    const bytes = readFileSync(join(folder, name));
    expect([name, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([name, width, height]);
  }
}, 60_000);
