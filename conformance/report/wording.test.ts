import { expect, test } from 'vitest';
import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import {
  conformant,
  deviating,
  interrupted,
  judged,
  sample,
  scoped,
  unjudgeable,
} from './sample.test-support.ts';
import { explainClauses, headline } from './wording.ts';

const failed = sample.results.filter(({ id }) => id === 'RECORD-1');
const threeAreas = ['create', 'record', 'authentication'] as const;

test.each<[title: string, status: number, report: Report]>([
  ['Conformant', 0, conformant],
  ['Conformant in create', 0, scoped],
  ['Conformant in create, record, authentication', 0, judged({ ...conformant, areas: threeAreas })],
  [
    'Conformant for CREATE-1, CREATE-2',
    0,
    judged({ ...conformant, only: ['CREATE-1', 'CREATE-2'] }),
  ],
  ['Conformant, with 2 exceptions', 0, deviating],
  ['Not conformant in record', 1, judged({ ...sample, areas: ['record'] })],
  ['Not conformant; the run was interrupted', 1, judged({ ...interrupted, results: failed })],
  ['Incomplete in create', 2, judged({ ...scoped, results: [] })],
  ['Incomplete; the run was interrupted', 2, interrupted],
  ['Cannot be judged', 4, unjudgeable],
])('a report has the headline "%s" and the exit status %i', (title, status, report) => {
  expect(headline(report)).toBe(title);
  expect(exitStatus(report)).toBe(status);
});

test('several clauses are each explained once, and unknown ones are left out', () => {
  const cited = ['2.3, 3', '3', '4.2 rule 1', '', 'constructor', '../4.2', '4.2 rules 2 and 5'];
  const explained = explainClauses(cited.map((clause) => ({ clause })));
  expect(explained.map((text) => text.split(',')[0])).toEqual([
    '2.3',
    '3',
    '4.2 rule 1 and 4.2 rules 2 and 5',
  ]);
});
