import { expect, test } from 'vitest';
import { rendererFor } from './renderer-for.ts';
import { broken, deviating, judged, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';

// `npx vitest run -u` rewrites the files. Look at the differences before you commit them.

/** The number of requirements changes with the catalogue. */
function withoutNumber(text: string): string {
  return text.replaceAll(/\b(?:[2-9]\d|\d{3})(?= passed)/g, 'N');
}

test.each([
  { file: 'quiet.txt', report: sample, detail: 'quiet' },
  { file: 'normal.txt', report: sample, detail: 'normal' },
  { file: 'verbose.txt', report: sample, detail: 'verbose' },
  { file: 'broken.txt', report: broken, detail: 'normal' },
  { file: 'deviating.txt', report: deviating, detail: 'normal' },
  { file: 'interrupted.txt', report: judged({ ...broken, interrupted: true }), detail: 'normal' },
] as const)(
  'the terminal report $file is identical to the golden file',
  async ({ file, report, detail }) => {
    const text = renderTerminal(report, { colours: false, detail });
    await expect(withoutNumber(text)).toMatchFileSnapshot(`golden/${file}`);
  },
);

test.each([
  { file: 'report.json', report: sample },
  { file: 'report.xml', report: sample },
  { file: 'report.html', report: sample },
  { file: 'report.md', report: sample },
  { file: 'report.svg', report: deviating },
])('$file is identical to the golden file', async ({ file, report }) => {
  const text = rendererFor(file)(report);
  await expect(withoutNumber(text)).toMatchFileSnapshot(`golden/${file}`);
});

test('three broken rules take fewer than 50 lines, as each cause and each clause is shown once', () => {
  const text = renderTerminal(broken, { colours: false });
  // The three clauses, which are quoted in full, take 15 of them.
  expect(text.split('\n').length).toBeLessThan(50);
  expect(text.match(/expected status 204, got 200/g)).toHaveLength(1);
});
