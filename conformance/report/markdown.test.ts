import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkdown, fence, renderMarkdown } from './markdown.ts';
import { conformant, deviating } from './sample.test-support.ts';

test.each([
  ['a | b', 'a \\| b'],
  ['**b** _c_ `d` ~e~', '\\*\\*b\\*\\* \\_c\\_ \\`d\\` \\~e\\~'],
  ['[a](http://b.c)', '\\[a\\](http\\://b.c)'],
  ['www.example.com', 'www\\.example.com'],
  ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
  ['@everyone #1', '@<!-- -->everyone #<!-- -->1'],
  ['# heading', '\\# heading'],
  ['- item', '\\- item'],
  ['1. item', '1\\. item'],
  ['two\n\n    lines', 'two lines'],
  ['\\', '\\\\'],
  ['three   spaces', 'three&nbsp;&nbsp; spaces'],
  ['plain - text, 4.2 (really).', 'plain - text, 4.2 (really).'],
])('in Markdown, %j is escaped as %j', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('a fence is longer than any run of backticks inside it', () => {
  const parts = fc.array(fc.constantFrom('`', '``', '`````', '\n', 'a', '~~~'));
  fc.assert(
    fc.property(parts, (content) => {
      const lines = fence(content.join(''), 'text').split('\n');
      const marks = lines.at(-1) ?? '';
      expect(lines[0]).toBe(`${marks}text`);
      expect(lines.slice(1, -1).some((line) => line.includes(marks))).toBe(false);
    }),
  );
});

test('a conformant report is short, and has only its known deviations in full', () => {
  const text = renderMarkdown(conformant);
  expect(text).toMatch(
    /^## ✅ Conformant: \d+ passed, 3 noted but not judged, 1 not testable by any request\n/,
  );
  expect(text).not.toContain('###');
  const titles = renderMarkdown(deviating).match(/^###.*/gm);
  expect(titles).toEqual(['### Known deviations']);
});

const evidence = [1, 2].map((duration) => ({
  curl: 'curl',
  status: 200,
  body: '語'.repeat(2_000),
  duration,
}));
const allFail = conformant.results.map((result, index) => {
  const message = `${index} ${'@everyone '.repeat(200)}`;
  return { ...result, outcome: 'fail' as const, message, evidence };
});

test.each([
  { what: 'failures', report: { ...conformant, results: allFail } },
  {
    what: 'streams left behind',
    report: { ...conformant, leftBehind: Array<string>(1_000).fill('語'.repeat(600)) },
  },
])('a report with many long $what fits into the summary of a step', ({ report }) => {
  const text = renderMarkdown(report);
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toMatch(/\d+ more/);
});
