import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

test.each(['', 'one', 'one\n', 'one\n\ntwo – ü\n', '\n'])('%j is split into lines', (text) => {
  const lines = [...linesOf(new TextEncoder().encode(text))];
  const expected = text.replace(/\n$/, '').split('\n');
  expect(lines.map((line) => new TextDecoder().decode(line))).toEqual(text === '' ? [] : expected);
});
