import { expect, test } from 'vitest';
import { behaviourIds, definitionOf } from './behaviours.ts';
import { breachesOf } from './breaches.ts';
import { bundledDialects, type Dialect, dialectSchema } from './dialect.ts';
import { endpointNames, errorsOf } from './errors.ts';
import { defaultDialect, resolveDialect } from './resolve.ts';
import { samplesOf } from './samples.test-support.ts';

test('a dialect without entries is what the mock does', () => {
  expect(resolveDialect({ dialect: 2 })).toEqual(defaultDialect);
});

test.each(Object.entries(bundledDialects))('the bundled dialect %s is valid', (_, dialect) => {
  expect(dialectSchema.parse(dialect)).toEqual(dialect);
});

test('there are at most 60 behaviours, each with a default and samples that fit', () => {
  expect(behaviourIds.length).toBeLessThanOrEqual(60);
  for (const id of behaviourIds) {
    const { values } = definitionOf(id);
    for (const value of samplesOf(id)) {
      const { success } = values.safeParse(value);
      expect({ id, value, success }).toEqual({ id, value, success: true });
    }
  }
});

test('a dialect of the previous version is refused in a sentence that names learn', () => {
  const result = dialectSchema.safeParse({ dialect: 1 });
  expect(result.error?.issues.map(({ message }) => message)).toEqual([
    '2, the version of the format that `livestream-mock learn` writes',
  ]);
});

test('a misspelt placeholder in the form of refusals is refused', () => {
  const form = (json: object) => ({ dialect: 2, refusalBody: { type: 'application/json', json } });
  expect(dialectSchema.safeParse(form({ errors: ['{message}'], code: '{status}' })).error).toBe(
    undefined,
  );
  const result = dialectSchema.safeParse(form({ errors: ['{mesage}'] }));
  expect(result.error?.issues).toMatchObject([
    { path: ['refusalBody'], message: 'no placeholders other than {message} and {status}' },
  ]);
});

test.each<[string, Dialect['refusals'], string]>([
  ['an operation', { createStreams: { 'key:none': 400 } }, 'an entry for one of createStream'],
  ['a word', { setRecord: { 'id:unknown': 'kept' } }, 'a status from 400 to 599, or one of done'],
])('what no cell can say is refused: %s', (_, refusals, expected) => {
  const result = dialectSchema.safeParse({ dialect: 2, refusals });
  expect(result.error?.issues[0]?.message).toContain(expected);
});

test('every error has a cell, an id of its own and at least one wrong request', () => {
  for (const endpoint of endpointNames) {
    const ids = errorsOf[endpoint].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, flaws } of errorsOf[endpoint]) {
      const hasCell = defaultDialect.refusals[endpoint].has(id);
      expect({ id, hasCell, isTried: flaws.length > 0 }).toEqual({
        id,
        hasCell: true,
        isTried: true,
      });
    }
  }
});

test('a wrong key that is accepted breaks the rules about keys that are almost right as well', () => {
  const accepted = { 'key:wrong': 'kept' } as const;
  const refusals = { setRecord: accepted, listSessionsOfStream: accepted };
  const broken = breachesOf({ dialect: 2, refusals }).flatMap(({ requirements }) => requirements);
  expect(broken).toEqual(['AUTH-5', 'AUTH-8', 'AUTH-6', 'AUTH-9']);
});

test.each([
  ['kept', 200, ['RECORD-16']],
  ['dropped', 200, []],
  ['kept', 404, []],
] as const)(
  'record that an update of a stream leaves %s breaks a rule if there are updates',
  (record, status, requirements) => {
    const given = status === 404 ? { 'operation:given': 404 } : {};
    const refusals = { updateStream: { 'field:record:given': record, ...given } };
    const broken = breachesOf({ dialect: 2, refusals }).flatMap((rule) => rule.requirements);
    expect(broken).toEqual(requirements);
  },
);
