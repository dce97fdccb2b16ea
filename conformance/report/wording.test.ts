import { expect, test } from 'vitest';
import { explainClauses } from './wording.ts';

test.each([
  [
    '4.4',
    'Other operations: Streams and sessions can be retrieved and listed. The paths, parameters and payloads are not specified.',
  ],
  [
    '4.2 rules 2 and 5',
    'Turn recording on or off: The record value of a session cannot be changed. Sessions that exist already are read-only.',
  ],
  [
    '4.2 rules 1 to 3',
    'Turn recording on or off: Only a parent stream can be changed. The record value of a session cannot be changed. An older stream object with a parentId is a session too: its record value cannot be changed.',
  ],
])('%s is explained, with the rules that it names and its place', (clause, text) => {
  const anchor = clause.replace('.', '-').split(' ')[0];
  expect(explainClauses([{ clause }])).toEqual([
    `${clause}, ${text} See livestream-mock/docs/interface.md#clause-${anchor}.`,
  ]);
});

test('several clauses have each explanation once, and unknown ones have none', () => {
  const clauses = ['2.3, 3', '3', '', 'constructor', '../4.2'].map((clause) => ({ clause }));
  expect(explainClauses(clauses).map((text) => text.split(',')[0])).toEqual(['2.3', '3']);
});
