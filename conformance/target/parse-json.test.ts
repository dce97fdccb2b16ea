import { expect, test } from 'vitest';
import { parseBoundedJson } from './parse-json.ts';

test('JSON is parsed, with brackets and commas in its strings', () => {
  for (const value of [{ a: [1, '[{"\\', null] }, '}'.repeat(1_000), [',,[['.repeat(100_000)], 7]) {
    expect(parseBoundedJson(JSON.stringify(value))).toEqual(value);
  }
});

test('text that is not JSON is a syntax error, not a response that is too large', () => {
  for (const text of ['', '{', '<p>', ']]]]', '"'.repeat(99)]) {
    expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
  }
});

test('more than 1,024 levels are refused, before any value is built', () => {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => parseBoundedJson(nest(1_024))).not.toThrow();
  for (const text of [nest(1_025), '['.repeat(4_000_000), '{"a":'.repeat(800_000)]) {
    expect(() => parseBoundedJson(text)).toThrow('at most 1024 levels');
  }
});

test('more than 150,000 values are refused, before any is built', () => {
  const list = (length: number, element: string) => `[${new Array(length).fill(element)}]`;
  expect(parseBoundedJson(list(74_999, '{}'))).toHaveLength(74_999);
  // With a comma for every 99 lists.
  const nested = list(2_000, '['.repeat(99) + ']'.repeat(99));
  const keys = list(2_000, '{"a":'.repeat(99) + 1 + '}'.repeat(99));
  for (const text of [list(150_000, '{}'), nested, keys]) {
    expect(() => parseBoundedJson(text)).toThrow('at most 150000 values');
  }
});
