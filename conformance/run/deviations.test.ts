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

test('a deviation without an expiry date never expires', () => {
  const text = JSON.stringify({ deviations: [{ requirement: 'CREATE-1', reason: 'Ticket 12.' }] });
  expect([...parseDeviations(text, requirements).known]).toEqual([
    ['CREATE-1', { reason: 'Ticket 12.' }],
  ]);
});

test('both lists of a deviations file may be left out', () => {
  expect(parseDeviations('{}', requirements)).toEqual(noDeviations);
});

describe('a deviations file is refused in one sentence if it has', () => {
  const list = (entry: object): string => JSON.stringify({ deviations: [entry] });
  const rows: [what: string, text: string, message: string | RegExp][] = [
    ['nothing', '', 'expected a JSON file, got text that is not JSON'],
    ['no JSON', '{"deviations": [', 'expected a JSON file, got text that is not JSON'],
    ['an array', '[]', 'expected an object with the keys deviations, inapplicable or both'],
    ['null', 'null', 'expected an object with the keys deviations, inapplicable or both'],
    [
      'an unknown key',
      '{"deviation": []}',
      'expected an object with the keys deviations, inapplicable or both',
    ],
    ['no list', '{"deviations": {}}', 'deviations: expected an array'],
    ['no other list', '{"inapplicable": 1}', 'inapplicable: expected an array'],
    [
      'an entry that is no object',
      '{"deviations": ["CREATE-1"]}',
      'deviations[0]: expected an object with the keys requirement, reason and optionally expires',
    ],
    [
      'an entry with another key',
      list({ ...known, because: 'a' }),
      'deviations[0]: expected an object with the keys requirement, reason and optionally expires',
    ],
    [
      'an entry with another key in the other list',
      JSON.stringify({ inapplicable: [known] }),
      'inapplicable[0]: expected an object with the keys requirement and reason',
    ],
    [
      'an entry without an id',
      list({ reason: 'a', expires: '2026-12-31' }),
      'deviations[0].requirement: expected an id',
    ],
    [
      'an entry without a reason',
      list({ ...known, reason: '' }),
      'deviations[0].reason: expected a reason',
    ],
    ...['2026-02-30', '2026-12-31T00:00:00Z', 'never', '', 7, null].map(
      (expires): [string, string, string] => [
        `an entry that expires on ${JSON.stringify(expires)}`,
        list({ ...known, expires }),
        'deviations[0].expires: expected a day such as 2026-12-31',
      ],
    ),
    [
      'an unknown id',
      list({ ...known, requirement: 'CREATE-0' }),
      'expected ids of requirements, got "CREATE-0"',
    ],
    [
      'an unknown id in the other list',
      JSON.stringify({ inapplicable: [{ ...inapplicable, requirement: '__proto__' }] }),
      'expected ids of requirements, got "__proto__"',
    ],
  ];

  test.each(rows)('%s', (_, text, message) => {
    const parse = (): unknown => parseDeviations(text, requirements);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(new TypeError(String(message)));
  });
});
