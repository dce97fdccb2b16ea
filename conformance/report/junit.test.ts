import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../model/report.ts';
import { visible } from '../model/visible.ts';
import { renderJunit } from './junit.ts';
import { hostile, interrupted, judged, sample, unjudgeable } from './sample.test-support.ts';
import { type Element, findElements, parseXml } from './xml.test-support.ts';

function read(report: Report): Element {
  return parseXml(renderJunit(report));
}

function expectCounts(element: Element): void {
  const { attributes } = element;
  expect(Number(attributes['tests'])).toBe(findElements(element, 'testcase').length);
  expect(Number(attributes['failures'])).toBe(findElements(element, 'failure').length);
  expect(Number(attributes['errors'])).toBe(findElements(element, 'error').length);
}

test('an independent parser finds every result, and the counts are right', () => {
  const suites = read(sample);
  expect(suites.name).toBe('testsuites');
  expectCounts(suites);
  expect(findElements(suites, 'testcase')).toHaveLength(sample.results.length + 1);
  for (const suite of findElements(suites, 'testsuite')) {
    expectCounts(suite);
    expect(Number(suite.attributes['skipped'])).toBe(findElements(suite, 'skipped').length);
  }
});

test.each([
  { run: 'an interrupted run', report: interrupted },
  { run: 'a run that cannot be judged', report: unjudgeable },
])('$run is reported as a failed test', ({ report }) => {
  const suites = read(report);
  const [failure, ...others] = findElements(suites, 'failure');
  expect(others).toEqual([]);
  expect(failure).toMatchObject({ attributes: { type: 'incomplete' } });
  for (const reason of report.reasons) expect(failure?.text).toContain(reason);
  expectCounts(suites);
});

test('whatever the target sends is text', () => {
  const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 300, seed: 1 });
  const [first] = sample.results;
  if (first === undefined) throw new Error('the sample has no results');
  const results = [hostile, ...texts].map((message) => ({
    ...first,
    outcome: 'fail' as const,
    message,
  }));
  const failures = findElements(read(judged({ ...sample, results })), 'failure');
  expect(failures.slice(0, -1).map(({ attributes }) => attributes['message'])).toEqual(
    results.map(({ message }) => visible(message)),
  );
});
