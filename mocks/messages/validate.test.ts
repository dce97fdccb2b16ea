import { expect, test } from 'vitest';
import * as z from 'zod';
import { validate } from './validate.ts';

const form = 'a whole number from 0 to 9';
const digit = z.int(form).min(0, form).max(9, form);

test('a value that fails two checks is reported once', () => {
  const schema = z.strictObject({ a: digit, b: digit });
  const message = `a: expected ${form}, got -0.5; b: expected ${form}, got 10.5`;
  expect(() => validate(schema, { a: -0.5, b: 10.5 })).toThrow(new RegExp(`^${message}$`));
});

test('values that are wrong in the same way are reported each', () => {
  expect(() => validate(z.array(digit), [10, 10])).toThrow(
    `[0]: expected ${form}, got 10; [1]: expected ${form}, got 10`,
  );
});

test('at most 20 errors are reported', () => {
  const wrong = Array.from({ length: 50 }, () => 'x');
  expect(() => validate(z.array(digit), wrong)).toThrow(/^(?:[^;]+; ){19}[^;]+$/);
});
