import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkdown, fence, renderMarkdown } from './github.ts';
import { conformant } from './sample.test-support.ts';

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

test('a conformant report is short', () => {
  const text = renderMarkdown(conformant);
  expect(text).toMatch(/^## ✅ Conformant: \d+ passed, 1 untested\n/);
  expect(text).not.toContain('###');
});

test('a report in which everything fails fits into the summary of a step', () => {
  const exchange = { curl: 'curl '.repeat(2_000), status: 200, body: 'é'.repeat(2_000) };
  const evidence = [1, 2, 3].map((duration) => ({ ...exchange, duration }));
  const results = conformant.results.map((result, index) => {
    const message = `${index} ${'@everyone '.repeat(200)}`;
    return { ...result, outcome: 'fail' as const, message, evidence };
  });
  const text = renderMarkdown({ ...conformant, verdict: 'nonconformant', results });
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
});
