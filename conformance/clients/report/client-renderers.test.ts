import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { terminalOf } from '../../report/terminal.ts';
import { findElements, parseXml } from '../../report/xml.test-support.ts';
import type { ClientReport, TrialResult } from '../client-report.ts';
import { clientReportJsonSchema } from './client-json.ts';
import { clientRendererFor } from './client-renderers.ts';
import { clientSectionsOf } from './client-sections.ts';
import {
  failedRun,
  hostileText,
  reportOf,
  sample,
  survived,
  unjudgeable,
} from './sample.test-support.ts';

const validate = new Ajv2020({ strict: true }).compile(clientReportJsonSchema());

const render = (format: string, report: ClientReport): string =>
  clientRendererFor(`report${format}`)(report);

const hanging = reportOf([
  { ...survived, outcome: 'not-tried', cutOff: { duration: 5_200, plainDuration: 300 } },
]);

test.each([sample, unjudgeable, hanging])(
  'a report is written as JSON that matches the schema',
  (report) => {
    const written = JSON.parse(render('.json', report));
    expect(written).toEqual(report);
    expect([validate(written), validate.errors]).toEqual([true, null]);
  },
);

test.each([{ version: 2 }, { complete: undefined }, { verdict: 'conformant' }])(
  'the schema refuses a report with %j',
  (part) => {
    expect(validate({ ...sample, ...part })).toBe(false);
  },
);

test('in JUnit, what breaks the app is a failure, and what was not met is skipped', () => {
  const tests = findElements(parseXml(render('.xml', sample)), 'testcase').map(
    ({ attributes, children }) => [attributes['name'], children[0]?.name],
  );
  expect(tests).toEqual([
    ['pages-of-two Every list came in pages of two records.', undefined],
    ['oldest-first Lists came oldest first.', 'failure'],
    ['recording-takes-30s Every list came in pages of two records.', 'skipped'],
    ['other.json The service behaved as its dialect says: another service.', undefined],
    ['optional-operations-404 Lists came oldest first.', 'skipped'],
    ['verdict', 'failure'],
  ]);
});

test.each(['.html', '.md', '.xml', '.json'])(
  'a report in %s says what breaks the app, why the interface allows it, and how to run it again',
  (format) => {
    const text = render(format, sample).replaceAll(/[\\\s]+|&#\d+;/g, ' ');
    expect(text).toContain('Lists came oldest first.');
    expect(text).toContain('check-client --only oldest-first -- npm test');
    expect(text).toContain('expected the newest stream first');
    expect(text).toContain('4.3 promises an array of sessions, and no order.');
  },
);

test.each(['.html', '.xml'])('nothing that an app writes is markup in %s', (format) => {
  const text = render(format, sample);
  expect(text).not.toMatch(/<img|<\/script><|\]\]>/);
});

test('nothing that an app writes is a command to a terminal or to CI', () => {
  const text = terminalOf(clientSectionsOf(sample), { colours: false });
  expect(hostileText).toContain('\u001b');
  expect(text).not.toContain('\u001b');
  expect(text).not.toMatch(/^\s*::error/m);
});

test.each([
  ['took 12 ms at http://127.0.0.1:4100/api\nexpected 2 streams', 1],
  ['took 12 ms at http://127.0.0.1:4100/api\nexpected 3 streams', 2],
])('a terminal shows the same output of two runs once: %j', (output, times) => {
  const broken = (name: string, written: string): TrialResult => ({
    ...survived,
    name,
    outcome: 'broken',
    message: `With ${name}, the tests failed.`,
    evidence: { ...failedRun, output: written },
  });
  const first = 'took 7 ms at http://127.0.0.1:4199/api\nexpected 2 streams';
  const report = reportOf([broken('one', first), broken('other', output)]);
  const text = terminalOf(clientSectionsOf(report), { colours: false });
  expect(text.match(/expected \d streams/g)).toHaveLength(times);
  expect(text.includes('failed with status 1 in 6.2 s: as with one above')).toBe(times === 1);
});

test('the headline counts what the tests met, without what is apart and without dialects', () => {
  expect(clientSectionsOf(sample)).toMatchObject({
    headline: 'Survives 1 of 2 variants that its tests met; 1 was not met',
    exitStatus: 1,
  });
});

test.each([
  [1, 'Survives 1 of 1 variant that its tests met; breaks with a combination'],
  [2, 'Survives 1 of 1 variant that its tests met; breaks with 2 combinations'],
])(
  'the headline says that %i combinations break the app, though their variants do not',
  (count, headline) => {
    const broken = { ...survived, kind: 'combination', outcome: 'broken' } as const;
    const report = reportOf([survived, ...Array.from({ length: count }, () => broken)]);
    expect(clientSectionsOf(report)).toMatchObject({ headline, exitStatus: 1 });
  },
);

test('a variant that most apps cannot survive is told apart, and does not fail', () => {
  const apart = { ...survived, kind: 'apart', outcome: 'broken' } as const;
  const { exitStatus, unmet, failed } = clientSectionsOf(reportOf([survived, apart]));
  expect([exitStatus, unmet.causes.length, failed.causes.length]).toEqual([0, 1, 0]);
});

test('tests that fail with the plain mock are shown with the end of their output', () => {
  const text = terminalOf(clientSectionsOf(unjudgeable), { colours: false });
  expect(text).toContain('expected the newest stream first');
  expect(text).toMatch(/Cannot be said\. With the plain mock, the tests failed with status 1\.\n$/);
});

test('tests that pass except with what is known to break the app are not said to pass always', () => {
  const known = { ...survived, outcome: 'broken', known: 'sorted next month' } as const;
  expect(clientSectionsOf(reportOf([survived, known]))).toMatchObject({
    exitStatus: 0,
    sentence: expect.stringMatching(/^Its tests pass, except with what is known to break the app/),
  });
});
