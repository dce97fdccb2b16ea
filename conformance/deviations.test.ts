import { describe, expect, test } from 'vitest';
import { noDeviations, parseDeviations } from './deviations.ts';
import { requirements } from './requirements.ts';

const known = { requirement: 'CREATE-1', reason: 'It answers 200.', expires: '2026-12-31' };
const inapplicable = { requirement: 'MEDIA-6', reason: 'There is no MP4.' };

test('a deviations file lists what is known and what does not apply', () => {
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

describe('a deviations file is refused in one sentence where it has', () => {
  const list = (entry: object): string => JSON.stringify({ deviations: [entry] });
  const rows: [what: string, text: string, message: string | RegExp][] = [
    ['nothing', '', 'deviations: expected a JSON file, got text that is no JSON'],
    ['no JSON', '{"deviations": [', 'deviations: expected a JSON file, got text that is no JSON'],
    ['an array', '[]', 'deviations: expected an object with the keys deviations and inapplicable'],
    ['null', 'null', 'deviations: expected an object with the keys deviations and inapplicable'],
    [
      'a key that is none',
      '{"deviation": []}',
      'deviations: expected an object with the keys deviations and inapplicable',
    ],
    ['no list', '{"deviations": {}}', 'deviations["deviations"]: expected an array'],
    ['no other list', '{"inapplicable": 1}', 'deviations["inapplicable"]: expected an array'],
    [
      'an entry that is no object',
      '{"deviations": ["CREATE-1"]}',
      'deviations["deviations"][0]: expected an object with the keys requirement, reason and expires',
    ],
    [
      'an entry with another key',
      list({ ...known, because: 'a' }),
      'deviations["deviations"][0]: expected an object with the keys requirement, reason and expires',
    ],
    [
      'an entry with another key in the other list',
      JSON.stringify({ inapplicable: [known] }),
      'deviations["inapplicable"][0]: expected an object with the keys requirement and reason',
    ],
    [
      'an entry without an id',
      list({ reason: 'a', expires: '2026-12-31' }),
      'deviations["deviations"][0]["requirement"]: expected an id',
    ],
    [
      'an entry without a reason',
      list({ ...known, reason: '' }),
      'deviations["deviations"][0]["reason"]: expected a reason',
    ],
    ...['2026-02-30', '2026-12-31T00:00:00Z', 'never', '', 7, null].map(
      (expires): [string, string, string] => [
        `an entry that expires on ${JSON.stringify(expires)}`,
        list({ ...known, expires }),
        'deviations["deviations"][0]["expires"]: expected a day such as 2026-12-31',
      ],
    ),
    [
      'an unknown id',
      list({ ...known, requirement: 'CREATE-0' }),
      'deviations: expected ids of requirements, got "CREATE-0"',
    ],
    [
      'an unknown id in the other list',
      JSON.stringify({ inapplicable: [{ ...inapplicable, requirement: '__proto__' }] }),
      'deviations: expected ids of requirements, got "__proto__"',
    ],
  ];

  test.each(rows)('%s', (_, text, message) => {
    const parse = (): unknown => parseDeviations(text, requirements);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(new TypeError(String(message)));
  });
});
