import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { renderDialect } from './render-learned.ts';

test('characters that a terminal obeys are escaped in a written dialect, which means the same', () => {
  const body = { type: 'application/json', json: { text: 'a\u009b31m\u202e\u0000b' } };
  const dialect: Dialect = { dialect: 3, refusals: { fields: { status: 400, body } } };
  const file = renderDialect(dialect);
  expect(file).toContain('"a\\u009b31m\\u202e\\u0000b"');
  expect(JSON.parse(file)).toEqual(dialect);
});
