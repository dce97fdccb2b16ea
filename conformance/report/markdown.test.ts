import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { escapeMarkdown, fence } from './markdown-text.ts';
import { conformant, sample } from './sample.test-support.ts';

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
  ['plain - text, 4.2 (really).', 'plain - text, 4.2 (really).'],
])('%j is written as %j', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('a fence is longer than any run of backticks in it', () => {
  const text = fc
    .array(fc.constantFrom('`', '``', '`````', '\n', 'a', '~~~'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (content) => {
      const lines = fence(content, 'text').split('\n');
      const marks = lines.at(-1) ?? '';
      expect(lines[0]).toBe(`${marks}text`);
      expect(lines.slice(1, -1).some((line) => line.includes(marks))).toBe(false);
    }),
  );
});

test('outside of code there is no markup but our own', () => {
  const text = renderMarkdown(sample).replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
  const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  expect(new Set(tags)).toEqual(new Set(['<details>', '<summary>', '</summary>', '</details>']));
  expect(text).not.toContain('```');
});

test('a conformant report is short', () => {
  const text = renderMarkdown(conformant);
  expect(text).toMatch(/^## ✅ Conformant: 10 passed, 1 known to deviate\n/);
  expect(text).not.toContain('What would complete the run');
});
