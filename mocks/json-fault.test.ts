import { expect, test } from 'vitest';
import { describeJsonFault } from './json-fault.ts';

/** What is said of a text that is no JSON. */
function describeFault(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return describeJsonFault(text, error as Error);
  }
  throw new TypeError('expected a text that is no JSON');
}

const long = 1024 * 1024;

test.each([
  ['its end', '[1,\n2', 'its end at line 2, column 2'],
  ['a letter too many', '[1,\n2x]', '"x]" at line 2, column 2'],
  ['the end of a long one', ' '.repeat(long + 1), 'its end after 1048577 characters'],
  ['a gap in a long one', `[${' '.repeat(long)}1 "two"]`, '"\\"two\\"]" at position 1048579'],
  [
    'a word in a long one',
    `[${' '.repeat(long)}nil]`,
    '1048581 characters, too many to say where they are none',
  ],
])('of a text that is no JSON is said where it stops being so: %s', (_, text, told) => {
  expect(describeFault(text)).toBe(told);
});
