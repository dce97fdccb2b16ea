import { expect, test } from 'vitest';
import { describeBound, describeFigure, figureText, isMet, type Target } from './targets.ts';

const start: Target = { title: 'start', figure: 3, bound: { atMost: 3 }, unit: '×' };
const list: Target = { title: 'list', figure: 0.75, bound: { atLeast: 0.75 }, unit: '×' };

test('a figure on its bound meets it', () => {
  expect([start, list].map(isMet)).toEqual([true, true]);
});

test('a figure beyond its bound misses it', () => {
  expect(isMet({ ...start, figure: 3.01 })).toBe(false);
  expect(isMet({ ...list, figure: 0.74 })).toBe(false);
});

test('what was not measured meets nothing', () => {
  expect(isMet({ ...start, figure: Number.NaN })).toBe(false);
});

test('a target says its bound and its figure', () => {
  expect(describeBound(start)).toBe('at most 3 ×');
  expect(describeBound(list)).toBe('at least 0.75 ×');
  expect(describeFigure({ ...start, figure: 2.123 })).toBe('2.12 ×');
});

test.each([
  [0.126, '0.13'],
  [9.994, '9.99'],
  [81.26, '81.3'],
  [350.6, '351'],
  [12_345.6, '12,346'],
])('%d reads %s', (value, text) => {
  expect(figureText(value)).toBe(text);
});
