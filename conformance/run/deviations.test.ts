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
  const rows: readonly { has: string; text: string; message: string }[] = [
    { has: 'nothing', text: '', message: 'expected a JSON file, got text that is not JSON' },
    {
      has: 'no JSON',
      text: '{"deviations": [',
      message: 'expected a JSON file, got text that is not JSON',
    },
    {
      has: 'an array',
      text: '[]',
      message: 'expected an object with the keys deviations, inapplicable or both',
    },
    {
      has: 'null',
      text: 'null',
      message: 'expected an object with the keys deviations, inapplicable or both',
    },
    {
      has: 'an unknown key',
      text: '{"deviation": []}',
      message: 'expected an object with the keys deviations, inapplicable or both',
    },
    { has: 'no list', text: '{"deviations": {}}', message: 'deviations: expected an array' },
    {
      has: 'no other list',
      text: '{"inapplicable": 1}',
      message: 'inapplicable: expected an array',
    },
    {
      has: 'an entry that is no object',
      text: '{"deviations": ["CREATE-1"]}',
      message:
        'deviations[0]: expected an object with the keys requirement, reason and optionally expires',
    },
    {
      has: 'an entry with another key',
      text: list({ ...known, because: 'a' }),
      message:
        'deviations[0]: expected an object with the keys requirement, reason and optionally expires',
    },
    {
      has: 'an entry with another key in the other list',
      text: JSON.stringify({ inapplicable: [known] }),
      message: 'inapplicable[0]: expected an object with the keys requirement and reason',
    },
    {
      has: 'an entry without an id',
      text: list({ reason: 'a', expires: '2026-12-31' }),
      message: 'deviations[0].requirement: expected an id',
    },
    {
      has: 'an entry without a reason',
      text: list({ ...known, reason: '' }),
      message: 'deviations[0].reason: expected a reason',
    },
    ...['2026-02-30', '2026-12-31T00:00:00Z', 'never', '', 7, null].map((expires) => ({
      has: `an entry that expires on ${JSON.stringify(expires)}`,
      text: list({ ...known, expires }),
      message: 'deviations[0].expires: expected a day such as 2026-12-31',
    })),
    {
      has: 'an unknown id',
      text: list({ ...known, requirement: 'CREATE-0' }),
      message:
        'expected the id of a requirement, perhaps CREATE-1, got "CREATE-0"; livestream-mock check --mock --verbose shows all ids',
    },
    {
      has: 'an unknown id in the other list',
      text: JSON.stringify({ inapplicable: [{ ...inapplicable, requirement: '__proto__' }] }),
      message:
        'expected the id of a requirement, perhaps CREATE-1, got "__proto__"; livestream-mock check --mock --verbose shows all ids',
    },
  ];

  test.each(rows)('$has', ({ text, message }) => {
    const parse = (): unknown => parseDeviations(text, requirements);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(new TypeError(message));
  });
});
