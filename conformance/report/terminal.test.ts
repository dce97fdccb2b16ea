import { expect, test } from 'vitest';
import { sample } from './sample.test-support.ts';
import { renderProgress, renderTerminal } from './terminal.ts';

test('without colours no control character but the line feed is written', () => {
  expect(renderTerminal(sample, { colours: false })).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});

test('with colours the text is the same, and no escape sequence comes from the target', () => {
  const plain = renderTerminal(sample, { colours: false });
  const coloured = renderTerminal(sample, { colours: true });
  const parts = coloured.split('\u001b');
  expect(parts.length).toBeGreaterThan(10);
  for (const part of parts.slice(1)) expect(part).toMatch(/^\[(0|1|2|31|32|33)m/);
  expect(parts.map((part) => part.replace(/^\[\d+m/, '')).join('')).toBe(plain);
});

test.each([80, 60, 120])('in %d columns only what is to be copied is longer', (width) => {
  const lines = renderTerminal(sample, { colours: false, width }).split('\n');
  const long = lines.filter((line) => [...line].length > width);
  expect(long.filter((line) => !/curl|^ {14}/.test(line))).toEqual([]);
});

test('the verdict comes last', () => {
  const blocks = renderTerminal(sample, { colours: false }).trim().split('\n\n');
  expect(blocks.at(-1)).toMatch(/^Not conformant\n {2}10 passed, 1 failed/);
});

test('what is blocked stands below what it needs, once', () => {
  const text = renderTerminal(sample, { colours: false });
  expect(text.match(/A recorded session is needed/g)).toHaveLength(1);
});

test.each([
  [3, 48, 'CREATE-3', ' 3/48 CREATE-3'],
  [0, 7, '', '0/7'],
  [1, 1, 'a\u001b[2J\nb', '1/1 a\\u001b[2J b'],
])('progress of %d of %d', (done, total, current, line) => {
  expect(renderProgress(done, total, current)).toBe(line);
});

test('progress fits on a line', () => {
  expect(renderProgress(1, 100, 'x'.repeat(500))).toHaveLength(80);
});
