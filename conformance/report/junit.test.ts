import { expect, test } from 'vitest';
import { renderJunit } from './junit.ts';
import { conformant, interrupted, judged, sample, unjudgeable } from './sample.test-support.ts';
import { type Element, findElements, parseXml } from './xml.test-support.ts';

function expectCounts(element: Element): void {
  const found = (name: string) => findElements(element, name).length;
  const { tests, failures, errors, skipped = found('skipped') } = element.attributes;
  expect([tests, failures, errors, skipped].map(Number)).toEqual(
    ['testcase', 'failure', 'error', 'skipped'].map(found),
  );
}

test.each([sample, conformant, interrupted, unjudgeable])(
  'there is a test for each requirement, and the counts are right',
  (report) => {
    const suites = parseXml(renderJunit(report));
    const tests = findElements(suites, 'testcase').map(({ attributes }) => attributes['name']);
    expect(tests.filter((name) => name !== 'verdict')).toHaveLength(report.results.length);
    for (const suite of [suites, ...findElements(suites, 'testsuite')]) expectCounts(suite);
  },
);

const passing = conformant.results.findIndex(({ outcome }) => outcome === 'pass');
const stale = judged({
  ...conformant,
  results: conformant.results.map((result, index) =>
    index === passing ? { ...result, deviation: { reason: 'was mended' } } : result,
  ),
});

test.each([
  { run: 'a run with a stale deviation', report: stale, errors: [stale.reasons[0]] },
  { run: 'a conformant run', report: conformant, errors: [] },
  { run: 'an interrupted run', report: interrupted, errors: ['the run was interrupted'] },
  {
    run: 'a run that cannot be judged',
    report: unjudgeable,
    errors: ['nothing listens', 'no requirement was tested'],
  },
])('$run has as errors what keeps the verdict open: $errors', ({ report, errors }) => {
  const found = findElements(parseXml(renderJunit(report)), 'error');
  expect([...new Set(found.map(({ attributes }) => attributes['message']))]).toEqual(errors);
});

test('what was left behind on the target is named', () => {
  const report = { ...conformant, leftBehind: ['stream abc'] };
  expect(renderJunit(report)).toContain('Left behind on the target: stream abc');
});
