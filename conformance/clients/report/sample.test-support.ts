import type { ClientReport, FailedRun, TrialResult } from '../client-report.ts';
import { judgeClient } from '../client-verdict.ts';

/** Text that does harm where it is not escaped: in HTML, XML, Markdown, a terminal or the log of a CI job. */
export const hostileText =
  '</script><img src=x onerror="document.title=1">\u001b[31m\n::error::taken over\n``` | ]]> \u202e #1 @team';

export const failedRun: FailedRun = {
  command: 'npx --no-install livestream-mock check-client --only oldest-first -- npm test',
  failure: 'failed with status 1',
  output: `first line\n${hostileText}\nexpected the newest stream first\n`,
  requests: 12,
  archive: 'report.oldest-first.har',
  duration: 6_200,
};

export const survived: TrialResult = {
  name: 'pages-of-two',
  kind: 'variant',
  outcome: 'survived',
  statement: 'Every list came in pages of two records.',
  clause: '8',
  argument: 'Clause 8 names page sizes among the limits that are not shown.',
  changed: 3,
  answered: 40,
};

const broken: TrialResult = {
  name: 'oldest-first',
  kind: 'variant',
  outcome: 'broken',
  statement: 'Lists came oldest first.',
  clause: '4.3',
  argument: '4.3 promises an array of sessions, and no order.',
  message: 'With oldest-first, the tests failed twice, and passed with the plain mock in between.',
  changed: 7,
  answered: 12,
  evidence: failedRun,
};

const notMet: TrialResult = {
  ...survived,
  name: 'recording-takes-30s',
  outcome: 'not-met',
  message: 'A test would have to wait for a recording.',
  changed: 0,
};

const apart: TrialResult = { ...broken, name: 'optional-operations-404', kind: 'apart' };
const dialect: TrialResult = {
  name: 'other.json',
  kind: 'dialect',
  outcome: 'survived',
  statement: 'The service behaved as its dialect says: another service.',
  changed: 2,
  answered: 40,
};

/** A report with these results. */
export function reportOf(
  results: readonly TrialResult[],
  given: Partial<ClientReport> = {},
): ClientReport {
  const findings = { results, ...given };
  return {
    format: 'livestream-mock/client-report',
    version: 1,
    suite: '0.1.0',
    tests: 'npm test',
    startedAt: '2026-11-20T14:00:00.000Z',
    duration: 61_000,
    runs: 9,
    ...judgeClient(findings),
    ...findings,
    sent: {
      total: 40,
      unused: ['PATCH /stream/{id}/record'],
      undescribed: [{ text: 'GET /stream: the query parameter limit', times: 12 }],
      refused: [{ text: `POST /stream: 422: ${hostileText}`, times: 1 }],
    },
    complete: true,
  };
}

/** A report with a result of every kind. */
export const sample: ClientReport = reportOf([survived, broken, notMet, dialect, apart]);

/** A report that says nothing about variants, because the tests fail with the plain mock. */
export const unjudgeable: ClientReport = reportOf([{ ...survived, outcome: 'not-tried' }], {
  unjudgeable: 'With the plain mock, the tests failed with status 1.',
  plainFailure: failedRun,
});
