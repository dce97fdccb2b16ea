import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError, parseJsonText } from './json-text.ts';

/** The error for a text. */
function refusalOf(text: string): JsonError {
  try {
    parseJsonText(text);
  } catch (exception) {
    if (exception instanceof JsonError) return exception;
  }
  throw new Error(`${text} was not refused as JSON`);
}

test.each([
  ['', 1, 1, 'a value'],
  [' \n ', 2, 2, 'a value'],
  ['hello', 1, 1, 'a value'],
  ['\ufeff{a:1}', 1, 2, 'a key in double quotes or }'],
  ['\u00a0{}', 1, 1, 'a value'],
  ["{'a':1}", 1, 2, 'a key in double quotes or }'],
  ['{a:1}', 1, 2, 'a key in double quotes or }'],
  ['{"a":1,}', 1, 8, 'a key in double quotes'],
  ['{"a" 1}', 1, 6, 'a colon'],
  ['{"a":}', 1, 6, 'a value'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or }'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'a comma or }'],
  ['{"a":1', 1, 7, 'a comma or }'],
  ['[', 1, 2, 'a value or ]'],
  ['[1,]', 1, 4, 'a value'],
  ['[1 2]', 1, 4, 'a comma or ]'],
  ['[1}', 1, 3, 'a comma or ]'],
  ['{} {}', 1, 4, 'nothing more'],
  ['01', 1, 2, 'nothing more'],
  ['[1.]', 1, 3, 'a comma or ]'],
  ['-', 1, 1, 'a value'],
  ['nul', 1, 1, 'a value'],
  ['"a', 1, 3, 'a closing quotation mark'],
  ['"a\tb"', 1, 3, 'an escape such as \\n or \\u0000'],
  ['"\\x"', 1, 2, 'an escape such as \\n or \\u0000'],
  ['["\\u12"]', 1, 3, 'an escape such as \\n or \\u0000'],
])(
  'the mistake in %j is in line %i, column %i, where %s belongs',
  (text, line, column, belongs) => {
    const { message } = refusalOf(text);
    expect(message).toBe(
      `a syntax error in line ${line}, column ${column} (${belongs} belongs there)`,
    );
  },
);

test.each(['\ufeff{"a":1}', '{"a":1}\r\n\r\n\n', '\ufeff\r\n{"a":1}\n'])(
  '%j is accepted',
  (text) => {
    expect(parseJsonText(text)).toEqual({ a: 1 });
  },
);

test('the line with the mistake is shown with its invisible characters escaped', () => {
  expect(refusalOf('{\n  "a": 1\u202e,\n  "b"; 2\u001b\n}').excerpt).toBe('"a": 1\\u202e,');
});

test.each([
  [0, `x${'1'.repeat(71)}…`],
  [100, `…${'1'.repeat(35)}x${'1'.repeat(36)}…`],
  [199, `…${'1'.repeat(71)}x`],
])(
  'of a long line with a mistake after %i characters, the part around it is shown',
  (before, excerpt) => {
    expect(refusalOf(`${'1'.repeat(before)}x${'1'.repeat(199 - before)}`).excerpt).toBe(excerpt);
  },
);

test('a mistake is found in a text that is nested more deeply than functions can be', () => {
  expect(refusalOf('['.repeat(200_000)).message).toContain('line 1, column 200001 ');
});

test('a mistake is found in exactly the texts that JSON.parse refuses', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '\t', '0', '1', '-', '.', 'e', '+'],
    ...['true', 'null', '"a"', '"a":', '\\u00e9', '\\n', 'é', '\u0000', '\u2028'],
  );
  const spoiled = fc
    .tuple(fc.json(), fc.nat(), fc.oneof(piece, fc.constant('')))
    .map(([json, at, put]) => {
      const start = at % (json.length + 1);
      return json.slice(0, start) + put + json.slice(start + 1);
    });
  const pieces = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.json(), spoiled, pieces), (text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        expect(refusalOf(text).message).toMatch(/^a syntax error in line \d+, column \d+ \(/);
        return;
      }
      expect(parseJsonText(text)).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
});
