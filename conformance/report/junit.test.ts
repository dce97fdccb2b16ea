import { expect, test } from 'vitest';
import type { Result } from '../model/report.ts';
import { renderJunit } from './junit.ts';
import {
  conformant,
  interrupted,
  judged,
  passed,
  sample,
  unjudgeable,
} from './sample.test-support.ts';
import { type Element, findElements, parseXml } from './xml.test-support.ts';

function expectCounts(element: Element): void {
  const found = (name: string) => findElements(element, name).length;
  const { tests, failures, errors, skipped = found('skipped') } = element.attributes;
  expect([tests, failures, errors, skipped].map(Number)).toEqual(
    ['testcase', 'failure', 'error', 'skipped'].map(found),
  );
}

test.each([sample, conformant, interrupted])(
  'there is a test for each requirement, and the counts are right',
  (report) => {
    const suites = parseXml(renderJunit(report));
    const tests = findElements(suites, 'testcase').map(({ attributes }) => attributes['name']);
    expect(tests.filter((name) => name !== 'verdict')).toHaveLength(report.results.length);
    for (const suite of [suites, ...findElements(suites, 'testsuite')]) expectCounts(suite);
  },
);

const stale = judged({
  ...conformant,
  results: conformant.results.map((result, index) =>
    index === 0 ? { ...result, deviation: { reason: 'was mended' } } : result,
  ),
});

test.each([
  { report: stale, kind: 'error', says: 'a deviation is listed' },
  { report: interrupted, kind: 'error', says: 'the run was interrupted' },
  { report: unjudgeable, kind: 'error', says: 'nothing listens there' },
  { report: sample, kind: 'failure', says: 'RECORD-1 failed' },
])('the verdict is a test, with an element $kind that says $says', ({ report, kind, says }) => {
  const tests = findElements(parseXml(renderJunit(report)), 'testcase');
  const verdict = tests.find(({ attributes }) => attributes['name'] === 'verdict');
  expect(verdict?.children[0]).toMatchObject({ name: kind, text: expect.stringContaining(says) });
});

test('a conformant run has no failure or error, and names what it left behind', () => {
  const xml = renderJunit({ ...conformant, leftBehind: ['stream abc'] });
  expect(xml).not.toMatch(/<(failure|error)\b/);
  expect(xml).toContain('Left behind on the target: stream abc');
});

test('a recommendation that is not met is a skipped test with its message and evidence', () => {
  const unmet: Result = {
    ...passed,
    level: 'should',
    outcome: 'unmet',
    message: 'expected a refusal, got 201',
    evidence: [{ curl: 'curl http://127.0.0.1/api/stream', status: 201, duration: 1 }],
  };
  const xml = renderJunit(judged({ ...conformant, results: [...conformant.results, unmet] }));
  expect(xml).not.toMatch(/<(failure|error)\b/);
  expect(xml).toContain(
    '<skipped message="recommendation not met (should): expected a refusal, got 201">',
  );
  expect(xml).toContain('curl http://127.0.0.1/api/stream');
});
