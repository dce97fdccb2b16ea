import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { renderDialect, renderDrift, renderFailure } from './render-learned.ts';

test('characters that a terminal obeys are escaped in a written dialect, which means the same', () => {
  const body = { type: 'application/json', json: { text: 'a\u009b31m\u202e\u0000b' } };
  const dialect: Dialect = { dialect: 3, refusals: { fields: { status: 400, body } } };
  const file = renderDialect(dialect);
  expect(file).toContain('"a\\u009b31m\\u202e\\u0000b"');
  expect(JSON.parse(file)).toEqual(dialect);
});

test.each([
  { count: 10, evidence: undefined, last: 'session 9' },
  { count: 11, evidence: undefined, last: 'and 1 more; --evidence FILE would list all' },
  { count: 52, evidence: 'evidence.json', last: 'and 42 more; evidence.json lists all' },
])('of $count things left on the service, ten are shown', ({ count, evidence, last }) => {
  const left = Array.from({ length: count }, (_, index) => `session ${index}`);
  const nothing = { changes: [], unknown: [], appeared: [] };
  const lines = renderDrift(nothing, left, [], evidence).trimEnd().split('\n');
  expect(lines.slice(1, 4)).toEqual(['', 'Left on the service', '  session 0']);
  expect(lines.at(-1)).toBe(`  ${last}`);
  expect(renderFailure('No.', left, [], evidence).trimEnd().split('\n').at(-1)).toBe(`  ${last}`);
});
