import { expect, test } from 'vitest';
import { explainClauses } from './wording.ts';

test('a clause, or its rules, are explained in full, with their place', () => {
  expect(explainClauses([{ clause: '4.4' }])).toEqual([
    '4.4, Other operations: Streams and sessions can be retrieved and listed. The paths, parameters and payloads are not specified. See livestream-mock/docs/interface.md#clause-4-4.',
  ]);
  const [explained] = explainClauses([{ clause: '4.2 rules 2 and 5' }]);
  expect(explained).toMatch(
    /^4\.2 rules 2 and 5, Turn recording on or off: \(1\) .* \(5\) Existing sessions .*\. See /,
  );
});

test('several clauses have each explanation once, and unknown ones have none', () => {
  const clauses = ['2.3, 3', '3', '', 'constructor', '../4.2'].map((clause) => ({ clause }));
  expect(explainClauses(clauses).map((text) => text.split(',')[0])).toEqual(['2.3', '3']);
});
