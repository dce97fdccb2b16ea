import { describe, expect, test } from 'vitest';
import { requirements } from '../conformance/checks/catalogue.ts';
import { clauses } from './clauses.ts';
import { behavioursOf, type Dialect, dialectSchema } from './dialect.ts';
import { recommendedProfiles } from './ladder.ts';
import { profileFields } from './limit-ladders.ts';
import { hiddenBy, type RowId, rowIds, rowOf, usualBehaviours } from './silent.ts';

describe.each(rowIds)('the row %s', (id) => {
  const { clause, question, values, samples, bounds, hides } = rowOf(id);

  test('has a clause and a question', () => {
    expect(Object.keys(clauses)).toContain(clause);
    expect(question).toMatch(/^[A-Z].*\?$/);
  });

  test('has a default and other samples that fit its schema', () => {
    const tried = [rowOf(id).default, ...samples];
    for (const value of tried) expect(values.safeParse(value).error).toBeUndefined();
    expect(samples.length).toBeGreaterThan(0);
    expect(new Set(tried.map((value) => JSON.stringify(value))).size).toBe(tried.length);
  });

  test('names requirements and rows that exist', () => {
    expect(requirements.map((requirement) => requirement.id)).toEqual(
      expect.arrayContaining([...bounds]),
    );
    expect(rowIds).toEqual(expect.arrayContaining([...(hides?.rows ?? [])]));
  });
});

test('a dialect names the rows that are known, and the others are the usual ones', () => {
  const dialect: Dialect = {
    format: 'livestream-mock/dialect',
    version: 1,
    rows: { 'create.unknown-field': 'dropped', 'list.page-size': 20 },
  };
  expect(dialectSchema.parse(dialect)).toEqual(dialect);
  expect(behavioursOf(dialect)).toEqual({ ...usualBehaviours, ...dialect.rows });
});

test.each([
  { rows: { 'create.unknown-fields': 'dropped' }, wrong: 'an unknown row' },
  { rows: { 'refusal.no-key': { status: 500 } }, wrong: 'a refusal that is none' },
  { rows: { 'stream.further-keys': { id: 0 } }, wrong: 'a further key that the interface names' },
  {
    rows: { 'order.createStream': ['body', 'body', 'no-key', 'fields'] },
    wrong: 'an order with a check twice',
  },
  {
    rows: { 'sessions.page-size': 2, 'list.next': 'x-next-cursor' },
    wrong: 'a short page of sessions from which no link leads on',
  },
  {
    rows: { 'order.setRecord': ['id', 'wrong-key', 'body', 'no-key', 'fields'] },
    wrong: 'an id before the keys',
  },
])('a dialect with $wrong is refused', ({ rows }) => {
  const text = { format: 'livestream-mock/dialect', version: 1, rows };
  expect(dialectSchema.safeParse(text).success).toBe(false);
});

const refusal = { status: 422 };
const narrower = [
  { row: 'create.name-length', value: { atLeast: 31, below: 32, refusal } },
  { row: 'http.body-size', value: { atLeast: 1_023, below: 1_024, refusal } },
  { row: 'list.largest-limit', value: { atLeast: 4, below: 5, refusal } },
  ...profileFields.flatMap((field) => {
    const numbers = recommendedProfiles.map((profile) => profile[field]);
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    return [
      {
        row: `profile.smallest.${field}`,
        value: { atMost: least + 1, above: least, refusal },
      },
      { row: `profile.largest.${field}`, value: { atLeast: most - 1, below: most, refusal } },
    ] as const;
  }),
] as const;

test.each(narrower)('no $row is narrower than what the suite sends', ({ row, value }) => {
  const dialect = (rows: object) => ({ format: 'livestream-mock/dialect', version: 1, rows });
  const { error } = dialectSchema.safeParse(dialect({ [row]: value }));
  expect(error?.issues[0]?.message).toMatch(
    /^a whole number, .* as check and learn send such values$/,
  );
  const narrowest =
    'atMost' in value
      ? { ...value, atMost: value.atMost - 1, above: value.above - 1 }
      : { ...value, atLeast: value.atLeast + 1, below: value.below + 1 };
  expect(dialectSchema.safeParse(dialect({ [row]: narrowest })).error).toBeUndefined();
});

test.each([
  { row: 'create.name-length', value: { atLeast: 64, below: 64, refusal } },
  { row: 'profile.smallest.width', value: { atMost: 16, above: 16, refusal } },
] as const)('a $row that accepts what it refuses is refused', ({ row, value }) => {
  expect(rowOf(row).values.safeParse(value).success).toBe(false);
});

test('no row hides itself, and none is hidden without a dialect', () => {
  for (const id of rowIds) {
    const { hides } = rowOf(id);
    expect(hides?.rows.includes(id satisfies RowId) ?? false).toBe(false);
    expect(hiddenBy(id, usualBehaviours[id])).toEqual([]);
  }
});
