import { expect, test } from 'vitest';
import { NoResponse } from './failure.ts';
import { parseJson } from './parse-json.ts';

test('JSON is parsed, whatever its strings hold', () => {
  for (const value of [{ a: [1, '[{"\\', null] }, '}'.repeat(1_000), [',,'.repeat(300_000)], 7]) {
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  }
});

test('what is no JSON is no answer of too much', () => {
  for (const text of ['', '{', '<p>', ']]]]', '"'.repeat(99)]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test('arrays and objects are refused below 100 levels, before anything is built of them', () => {
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
