import { expect, test } from 'vitest';
import { rendererFor } from './render.ts';
import { deviating, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal/terminal.ts';

// `npx vitest run -u` writes the files anew; look at the difference before it is committed.

/** How many requirements the sample lacks is as many as there are, which does not matter here. */
function withoutNumber(text: string): string {
  return text.replaceAll(/\d+(?= binding requirements)/g, 'N');
}

test.each(['normal', 'verbose'] as const)(
  'the %s terminal report is, byte for byte, the one on file',
  async (detail) => {
    const text = renderTerminal(sample, { colours: false, detail });
    await expect(withoutNumber(text)).toMatchFileSnapshot(`golden/${detail}.txt`);
  },
);

test.each(['json', 'xml', 'html', 'md'])(
  'report.%s is, byte for byte, the one on file',
  async (kind) => {
    const name = `report.${kind}`;
    await expect(withoutNumber(rendererFor(name)(sample))).toMatchFileSnapshot(`golden/${name}`);
  },
);

test('report.svg is, byte for byte, the one on file', async () => {
  await expect(rendererFor('report.svg')(deviating)).toMatchFileSnapshot('golden/report.svg');
});
