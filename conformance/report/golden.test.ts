import { expect, test } from 'vitest';
import { rendererFor } from './render.ts';
import { deviating, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';

// `npx vitest run -u` writes the files anew; look at the differences before you commit them.

/** The number of requirements that the sample lacks changes with the catalogue. */
function withoutNumber(text: string): string {
  return text.replaceAll(/\d+(?= requirements of level must)/g, 'N');
}

test.each(['normal', 'verbose'] as const)(
  'the %s terminal report has the bytes of the golden file',
  async (detail) => {
    const text = renderTerminal(sample, { colours: false, detail });
    await expect(withoutNumber(text)).toMatchFileSnapshot(`golden/${detail}.txt`);
  },
);

test.each(['json', 'xml', 'html', 'md'])(
  'report.%s has the bytes of the golden file',
  async (kind) => {
    const name = `report.${kind}`;
    await expect(withoutNumber(rendererFor(name)(sample))).toMatchFileSnapshot(`golden/${name}`);
  },
);

test('report.svg has the bytes of the golden file', async () => {
  await expect(rendererFor('report.svg')(deviating)).toMatchFileSnapshot('golden/report.svg');
});
