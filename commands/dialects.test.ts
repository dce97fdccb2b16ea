import { expect, test } from 'vitest';
import { bundledDialects } from '../interface/dialect/bundled-dialects.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';
import { readDialect } from './files.ts';

test('a bundled dialect is read by its name', async () => {
  expect(await readDialect('livepeer')).toEqual(bundledDialects.livepeer);
});

test('of dialects that are joined by +, the later says what both say', async () => {
  const file = temporaryFile('dialect.json', {
    dialect: 3,
    name: 'short pages',
    behaviours: { 'list.page-size': { listStreams: 5 } },
  });
  const { name, behaviours, refusals } = await readDialect(`livepeer+${file}`);
  expect(name).toBe('livepeer: livepeer/studio in production + short pages');
  expect(behaviours?.['list.page-size']).toEqual({
    ...bundledDialects.livepeer.behaviours?.['list.page-size'],
    listStreams: 5,
  });
  expect(refusals).toEqual(bundledDialects.livepeer.refusals);
});

test('a misspelt name is refused with the one that is probably meant', async () => {
  await expect(readDialect('livepeer+backend-onl')).rejects.toThrow(
    'backend-onl: expected a file, or a bundled dialect (livepeer, backend-only), perhaps backend-only, got neither',
  );
});
