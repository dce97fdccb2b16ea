import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { describeJsonError, errorOffset } from './json-error.ts';

test.each([
  ['its end', '[1,\n2', 'its end at line 2, column 2'],
  ['a letter too many', '[1,\n2x]', '"x]" at line 2, column 2'],
  ['a bracket too many', '[1]]', '"]" at line 1, column 4'],
  ['the wrong bracket', '{"a":[1}', '"}" at line 1, column 8'],
  ['a key that is no text', '{"a":1,b:2}', '"b:2}" at line 1, column 8'],
  ['a text without an end', '["a', '"\\"a" at line 1, column 2'],
  ['a line break in a text', '["a\nb"]', '"\\"a\\nb\\"]" at line 1, column 2'],
  ['an escape that is none', '["\\x"]', '"\\"\\\\x\\"]" at line 1, column 2'],
  ['a number without digits', '[-]', '"-]" at line 1, column 2'],
  ['levels without an end', '['.repeat(100_000), 'its end at line 1, column 100001'],
])('of a text that is no JSON is said where it stops being so: %s', (_, text, told) => {
  expect(describeJsonError(text)).toBe(told);
});

test.each([
  ['spaces', ' ', '', 1],
  ['lines', '\n', '', 8_000_001],
  ['one text', 'x', '"', 1],
  ['escapes', '\\n', '"', 1],
  ['digits', '1', '', 1],
  ['values', '[],', '', 1],
])('of a text of megabytes too: %s', (_, run, quote, line) => {
  const text = `[${quote}${run.repeat(8_000_000 / run.length)}${quote} nil]`;
  expect(describeJsonError(text)).toMatch(new RegExp(`^"nil\\]" at line ${line}, column \\d+$`));
});

/** Pieces of JSON, in any order: mostly no JSON, and no JSON in every way. */
const pieces = fc
  .array(
    fc.constantFrom(
      ...['[', ']', '{', '}', ',', ':', '"', '\\', ' ', '\n', '\r', '\t', '\f', '\0', '\u007f'],
      ...['0', '1', '-', '+', '.', 'e', 'E', 'true', 'false', 'null', 'nul', '/', '\ufeff', 'é'],
      ...['"a"', '"a":', '[1]', '{"a":1}', '1.5e-3', '\\u00e9', '\\ud800', '\\n', '\\x', '\u2028'],
    ),
    { maxLength: 12 },
  )
  .map((list) => list.join(''));

/** JSON in which one character is left out, doubled or replaced, or none. */
const nearly = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '1', '\\', '\n', 'x'))
  .map(([json, place, piece]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + piece + json.slice(at + (place % 2));
  });

test('a text has a fault where JSON.parse takes none of it, and nowhere else', () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const property = fc.property(fc.oneof(pieces, nearly, fc.json()), (text) => {
    expect(errorOffset(text) === undefined).toBe(parses(text));
  });
  fc.assert(property, { seed: 20_260_101, numRuns: byNight(20_000, 500) });
});
