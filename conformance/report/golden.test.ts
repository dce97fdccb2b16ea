import { expect, test } from 'vitest';
import { renderFor } from './render.ts';
import { conformant, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';

// `npx vitest run -u` writes the files anew; look at the difference before it is committed.

test('the terminal report is, byte for byte, the one on file', async () => {
  await expect(renderTerminal(sample, { colours: false })).toMatchFileSnapshot('golden/report.txt');
});

test.each(['json', 'xml', 'html', 'md'])(
  'report.%s is, byte for byte, the one on file',
  async (kind) => {
    const name = `report.${kind}`;
    await expect(renderFor(name, sample)).toMatchFileSnapshot(`golden/${name}`);
  },
);

test('report.svg is, byte for byte, the one on file', async () => {
  await expect(renderFor('report.svg', conformant)).toMatchFileSnapshot('golden/report.svg');
});
