import { describe, expect, test } from 'vitest';
import { requirements } from '../checks/catalogue.ts';
import { noDeviations, parseDeviations } from './deviations.ts';

const known = { requirement: 'CREATE-1', reason: 'It answers 200.', expires: '2026-12-31' };
const inapplicable = { requirement: 'MEDIA-6', reason: 'There is no MP4.' };

test('a deviations file lists known deviations and requirements that do not apply', () => {
  const text = JSON.stringify({ deviations: [known], inapplicable: [inapplicable] });
  const deviations = parseDeviations(text, requirements);
  expect([...deviations.known]).toEqual([
    ['CREATE-1', { reason: 'It answers 200.', expires: '2026-12-31' }],
  ]);
  expect([...deviations.inapplicable]).toEqual([['MEDIA-6', 'There is no MP4.']]);
});

test('both lists of a deviations file may be left out', () => {
  expect(parseDeviations('{}', requirements)).toEqual(noDeviations);
});

describe('a deviations file is refused in one sentence', () => {
  const neither = 'expected an object with the keys deviations, inapplicable or both';
  const entry =
    'deviations[0]: expected an object with the keys requirement, reason and optionally expires';
  const unknown = (got: string): string =>
    `expected the id of a requirement, perhaps CREATE-1, got "${got}"; livestream-mock check --mock --verbose shows all ids`;
  const rows: readonly [file: object, message: string][] = [
    [[], neither],
    [{ deviation: [] }, neither],
    [{ deviations: {} }, 'deviations: expected an array'],
    [{ deviations: [{ ...known, because: 'a' }] }, entry],
    [
      { inapplicable: [known] },
      'inapplicable[0]: expected an object with the keys requirement and reason',
    ],
    [{ deviations: [{ reason: 'a' }] }, 'deviations[0].requirement: expected an id'],
    [{ deviations: [{ ...known, reason: '' }] }, 'deviations[0].reason: expected a reason'],
    ...['2026-02-30', 'never'].map((expires): [object, string] => [
      { deviations: [{ ...known, expires }] },
      'deviations[0].expires: expected a day such as 2026-12-31',
    ]),
    [{ deviations: [{ ...known, requirement: 'CREATE-0' }] }, unknown('CREATE-0')],
  ];

  test.each(['', '{\n"deviations": [],\n}', '{}\n\n{}'])('%j is not JSON', (text) => {
    expect(() => parseDeviations(text, requirements)).toThrow(
      /^expected JSON, got a syntax error in line \d/,
    );
  });

  test.each(rows)('%j has other entries than expected', (file, message) => {
    expect(() => parseDeviations(JSON.stringify(file), requirements)).toThrow(
      new TypeError(message),
    );
  });
});
