import { expect, test } from 'vitest';
import { renderAnnotations } from './github.ts';
import { rendererFor } from './render.ts';
import { judged, sample, unjudgeable } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';

test('a format is chosen by the end of a name, in either case', () => {
  expect(rendererFor('out/Report.JSON')(sample)).toMatch(/^\{/);
});

test.each(['report.txt', 'json', 'report.json.gz'])('%s is refused', (name) => {
  expect(() => rendererFor(name)).toThrow(
    `${name}: expected a file name that ends with one of .json, .xml, .html, .md, .svg`,
  );
});

test('a run that tested nothing says so', () => {
  const empty = judged({ ...sample, results: [], leftBehind: [] });
  const terminal = renderTerminal(empty, { colours: false });
  expect(terminal.trim().split('\n\n').at(-1)).toMatch(/^Incomplete {2}nothing was tested\n/);
  expect(rendererFor('a.md')(empty)).toMatch(/^## ⚠️ Incomplete: nothing was tested\n/);
});

test('for a target that cannot be judged, a report is one sentence', () => {
  const { unjudgeable: why = '' } = unjudgeable;
  for (const detail of ['quiet', 'normal', 'verbose'] as const) {
    const text = renderTerminal(unjudgeable, { colours: false, width: 200, detail });
    expect(text).toBe(`Cannot be judged. ${why}\n`);
  }
  const [title, , ...blocks] = rendererFor('a.md')(unjudgeable).trim().split('\n\n');
  expect([title, ...blocks]).toEqual(['## ⚠️ Cannot be judged: nothing was tested', why]);
  const page = rendererFor('a.html')(unjudgeable);
  expect(page.split(why)).toHaveLength(2);
  expect(page).not.toMatch(/<search|<h2/);
  expect(renderAnnotations(unjudgeable)).toBe(`::error title=Cannot be judged::${why}\n`);
});
