import { expect, test } from 'vitest';
import { rendererFor } from './render.ts';
import { conformant, judged, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';

test.each([
  ['report.json', '{'],
  ['out/Report.JSON', '{'],
  ['junit.xml', '<?xml'],
  ['index.html', '<!doctype html>'],
  ['summary.md', '## '],
  ['badge.svg', '<svg '],
])('%s begins with %s', (name, beginning) => {
  expect(rendererFor(name)(conformant).startsWith(beginning)).toBe(true);
});

test.each(['report.txt', 'report', 'json', 'report.json.gz'])('%s is refused', (name) => {
  expect(() => rendererFor(name)).toThrow(
    `${name}: expected a file name that ends with one of .json, .xml, .html, .md, .svg`,
  );
});

const empty = judged({ ...sample, results: [], leftBehind: [] });

test('a run that tested nothing says so', () => {
  const terminal = renderTerminal(empty, { colours: false });
  expect(terminal.trim().split('\n\n').at(-1)).toMatch(/^Incomplete {2}nothing was tested\n/);
  expect(rendererFor('a.md')(empty)).toMatch(/^## ⚠️ Incomplete: nothing was tested\n/);
  expect(rendererFor('a.xml')(empty)).toContain(
    '<testsuites name="livestream-mock conformance" tests="1" failures="1"',
  );
});
