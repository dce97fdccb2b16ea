import { expect, test } from 'vitest';
import { NoResponse } from './failure.ts';
import { parseJson } from './parse-json.ts';

test('JSON is parsed, with brackets and commas in its strings', () => {
  for (const value of [{ a: [1, '[{"\\', null] }, '}'.repeat(1_000), [',,'.repeat(300_000)], 7]) {
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  }
});

test('text that is not JSON is a syntax error, not a response that is too large', () => {
  for (const text of ['', '{', '<p>', ']]]]', '"'.repeat(99)]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test('more than 100 levels are refused, before any value is built', () => {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => parseJson(nest(100))).not.toThrow();
  for (const text of [nest(101), '['.repeat(4_000_000), '{"a":'.repeat(800_000)]) {
    expect(() => parseJson(text)).toThrow(NoResponse);
    expect(() => parseJson(text)).toThrow('at most 100 levels');
  }
});

test('more than 250,000 values are refused', () => {
  const list = (length: number) => `[${new Array(length).fill('{}')}]`;
  expect(parseJson(list(200_000))).toHaveLength(200_000);
  expect(() => parseJson(list(300_000))).toThrow('at most 250000 values');
});
