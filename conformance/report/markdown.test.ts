import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMarkdown, fence, renderMarkdown } from './github.ts';
import { conformant, unjudgeable } from './sample.test-support.ts';

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

test('a conformant report is short', () => {
  const text = renderMarkdown(conformant);
  expect(text).toMatch(/^## ✅ Conformant: \d+ passed, 1 untested\n/);
  expect(text).not.toContain('###');
});

test('for a target that cannot be judged, the report is one sentence', () => {
  const blocks = renderMarkdown(unjudgeable).trim().split('\n\n');
  expect(blocks).toEqual([
    '## ⚠️ Cannot be judged: nothing was tested',
    expect.stringContaining('livestream-mock 0.1.0'),
    unjudgeable.unjudgeable,
  ]);
});

test('a report of any size fits into the summary of a step, and says where the rest is', () => {
  const results = conformant.results.map((result, index) => ({
    ...result,
    outcome: 'fail' as const,
    message: `${index} ${'@everyone '.repeat(200)}`,
    evidence: [{ curl: 'curl '.repeat(2_000), status: 200, body: 'é'.repeat(2_000), duration: 1 }],
  }));
  const text = renderMarkdown({ ...conformant, verdict: 'nonconformant', results });
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(Buffer.byteLength(text)).toBeGreaterThan(900_000);
  expect(text.trim().split('\n\n').at(-1)).toMatch(/^The rest is left out/);
  expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
});
