import { expect, test } from 'vitest';
import { explainClauses } from './wording.ts';

const page = 'livestream-mock/docs/interface.md';

test.each([
  {
    clause: '4.4',
    text: 'Other operations: Streams and sessions can be retrieved and listed. The paths, parameters and payloads are not specified.',
  },
  {
    clause: '4.2 rule 4',
    text: 'Turn recording on or off: Sessions that begin later inherit the new value.',
  },
  {
    clause: '4.2 rules 2 and 5',
    text: 'Turn recording on or off: The record value of a session cannot be changed. Sessions that exist already are read-only.',
  },
  {
    clause: '4.2 rules 1 to 3',
    text: 'Turn recording on or off: Only a parent stream can be changed. The record value of a session cannot be changed. An older stream object with a parentId is a session too: its record value cannot be changed.',
  },
])('$clause is explained, with the rules that it names and its place', ({ clause, text }) => {
  const anchor = clause.replace('.', '-').split(' ')[0];
  expect(explainClauses([{ clause }])).toEqual([
    `${clause}, ${text} See ${page}#clause-${anchor}.`,
  ]);
});

test('results that cite several clauses, or the same one, have each explanation once', () => {
  const explained = explainClauses([{ clause: '2.3, 3' }, { clause: '3' }]);
  expect(explained.map((text) => text.split(',')[0])).toEqual(['2.3', '3']);
});

test.each(['', '10', 'constructor', '4.2 ruled 3', '../4.2'])(
  'the unknown clause %j is left out',
  (clause) => expect(explainClauses([{ clause }])).toEqual([]),
);
