import { expect, test } from 'vitest';
import { citationsOf } from './wording.ts';

test('a citation has an explanation and a place in the package', () => {
  expect(citationsOf([{ clause: '4.4' }])).toEqual([
    {
      cited: '4.4',
      explanation:
        '4.4, Other operations: Streams and sessions can be retrieved and listed. The paths, parameters and payloads are not specified.',
      page: 'livestream-mock/docs/interface.md#clause-4-4',
    },
  ]);
});

test.each([
  { clause: '4.2 rule 4', text: 'Sessions that begin later inherit the new value.' },
  {
    clause: '4.2 rules 2 and 5',
    text: 'The record value of a session cannot be changed. Sessions that exist already are read-only.',
  },
  {
    clause: '4.2 rules 1 to 3',
    text: 'Only a parent stream can be changed. The record value of a session cannot be changed. An older stream object with a parentId is a session too: its record value cannot be changed.',
  },
])('of $clause, the rules that it names are cited', ({ clause, text }) => {
  expect(citationsOf([{ clause }])).toEqual([
    {
      cited: clause,
      explanation: `${clause}, Turn recording on or off: ${text}`,
      page: 'livestream-mock/docs/interface.md#clause-4-2',
    },
  ]);
});

test('results that cite several clauses, or the same one, have each citation once', () => {
  const citations = citationsOf([{ clause: '2.3, 3' }, { clause: '3' }]);
  expect(citations.map(({ cited }) => cited)).toEqual(['2.3', '3']);
});

test.each(['', '10', 'constructor', '4.2 ruled 3', '../4.2'])(
  'the unknown clause %j is left out',
  (clause) => expect(citationsOf([{ clause }])).toEqual([]),
);
