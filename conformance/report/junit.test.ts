import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Report } from '../model/report.ts';
import { visible } from '../model/visible.ts';
import { renderJunit } from './junit.ts';
import {
  conformant,
  hostile,
  interrupted,
  judged,
  sample,
  unjudgeable,
} from './sample.test-support.ts';
import { type Element, parseXml } from './xml.test-support.ts';

function read(report: Report): Element {
  return parseXml(renderJunit(report));
}

function find(element: Element, name: string): Element[] {
  const below = element.children.flatMap((child) => find(child, name));
  return element.name === name ? [element, ...below] : below;
}

function expectCounts(element: Element): void {
  const { attributes } = element;
  expect(Number(attributes['tests'])).toBe(find(element, 'testcase').length);
  expect(Number(attributes['failures'])).toBe(find(element, 'failure').length);
  expect(Number(attributes['errors'])).toBe(find(element, 'error').length);
}

test('an independent parser finds every result, and the counts are right', () => {
  const suites = read(sample);
  expect(suites.name).toBe('testsuites');
  expectCounts(suites);
  expect(find(suites, 'testcase')).toHaveLength(sample.results.length + 1);
  for (const suite of find(suites, 'testsuite')) {
    expectCounts(suite);
    expect(Number(suite.attributes['skipped'])).toBe(find(suite, 'skipped').length);
  }
});

const expectedChildren = {
  'CREATE-1': [],
  'CREATE-9': ['system-out'],
  'RECORD-1': ['failure', 'system-out'],
  'RECORD-2': ['skipped', 'system-out'],
  'LIST-1': ['skipped'],
  'AUTH-1': ['skipped'],
  'MEDIA-1': ['error', 'system-out'],
  'MEDIA-2': ['skipped'],
  'OBSERVE-1': ['system-out'],
};

test('each outcome has its JUnit elements', () => {
  const cases = find(read(sample), 'testcase');
  for (const [id, names] of Object.entries(expectedChildren)) {
    const found = cases.find(({ attributes }) => attributes['name']?.startsWith(`${id} `));
    expect([id, found?.children.map(({ name }) => name)]).toEqual([id, names]);
  }
});

test('a skipped test says why', () => {
  const reasons = find(read(sample), 'skipped').map(({ attributes }) => attributes['message']);
  expect(reasons).toContain('blocked (should): The check has to write: run without --read-only.');
  expect(reasons.join()).toContain('known to deviate (should): Known deviation, accepted until');
});

test.each([
  { run: 'an interrupted run', report: interrupted },
  { run: 'a run that cannot be judged', report: unjudgeable },
])('$run is reported as a failed test', ({ report }) => {
  const suites = read(report);
  const [failure, ...others] = find(suites, 'failure');
  expect(others).toEqual([]);
  expect(failure).toMatchObject({ attributes: { type: 'incomplete' } });
  for (const reason of report.reasons) expect(failure?.text).toContain(reason);
  expectCounts(suites);
});

test('the exchange that decided comes first, and is marked', () => {
  const failed = find(read(sample), 'testcase').find(({ attributes }) =>
    attributes['name']?.startsWith('RECORD-1 '),
  );
  expect(failed?.text).toMatch(/Decided by:\ncurl -X PATCH [\s\S]*Also sent:\ncurl -X POST /);
});

test('a conformant report has no failure, and properties say what was tested', () => {
  const suites = read(conformant);
  expect(find(suites, 'failure')).toEqual([]);
  const properties = find(suites, 'property').map(({ attributes }) => attributes);
  expect(properties).toContainEqual({ name: 'target', value: 'http://127.0.0.1:4100/api' });
  expect(properties).toContainEqual({ name: 'provider', value: 'none' });
  expect(properties).toContainEqual({ name: 'verdict', value: 'conformant' });
});

test('times are seconds', () => {
  const suites = read(sample);
  expect(suites.attributes['time']).toBe('12.345');
  const record = find(suites, 'testsuite').find(
    ({ attributes }) => attributes['name'] === 'record',
  );
  expect(record?.attributes['time']).toBe('1.253');
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
  const failures = find(read(judged({ ...sample, results })), 'failure');
  expect(failures.slice(0, -1).map(({ attributes }) => attributes['message'])).toEqual(
    results.map(({ message }) => visible(message)),
  );
});
