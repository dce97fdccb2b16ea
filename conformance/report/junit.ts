import type { Exchange, Report, Result } from '../model/report.ts';
import { withVisibleStrings } from '../model/visible.ts';
import { failuresOfRun, verdictSuite } from './junit-verdict.ts';
import { describeAnswer, evidenceTitle } from './text/evidence.ts';
import {
  type AreaResults,
  byArea,
  countMarks,
  type Mark,
  markOf,
  markWords,
} from './text/marks.ts';
import { type Markup, markup } from './text/markup.ts';
import { describeBasis, describeDeviation } from './text/wording.ts';

/** How JUnit is to count a result; it knows no other ways. */
const counted = {
  pass: 'passed',
  fail: 'failures',
  error: 'errors',
  expected: 'skipped',
  blocked: 'skipped',
  untested: 'skipped',
  inapplicable: 'skipped',
} as const satisfies Record<Mark, string>;

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/**
 * A report as JUnit XML: a suite per area, and one of a single test that fails when the verdict is
 * not conformant, so that skipped requirements cannot leave a reader with all green.
 */
export function renderJunit(report: Report): string {
  const shown = withVisibleStrings(report);
  const { tests, failures, errors } = countAll(shown);
  const file = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="livestream-mock conformance" tests="${tests}" failures="${failures}" errors="${errors}" time="${seconds(shown.duration)}" timestamp="${shown.startedAt}">
${byArea(shown.results).map(areaSuite)}
${verdictSuite(shown)}
</testsuites>
`;
  return file.markup;
}

function countAll(report: Report): Counts {
  const { tests, failures, errors, skipped } = count(report.results);
  return { tests: tests + 1, failures: failures + failuresOfRun(report), errors, skipped };
}

function count(results: readonly Result[]): Counts {
  const counts = { tests: results.length, passed: 0, failures: 0, errors: 0, skipped: 0 };
  for (const { mark, count } of countMarks(results)) counts[counted[mark]] += count;
  return counts;
}

function areaSuite({ area, results }: AreaResults): Markup {
  const { tests, failures, errors, skipped } = count(results);
  const time = results.reduce((sum, { duration }) => sum + duration, 0);
  return markup`  <testsuite name="${area}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(time)}">
${results.map(testCase)}
  </testsuite>`;
}

function testCase(result: Result): Markup {
  const { id, area, statement, duration } = result;
  const children = [...verdictOf(result), ...output(result)];
  const start = markup`    <testcase classname="conformance.${area}" name="${`${id} ${statement}`}" time="${seconds(duration)}"`;
  return children.length === 0
    ? markup`${start}/>`
    : markup`${start}>
${children}
    </testcase>`;
}

function verdictOf(result: Result): Markup[] {
  const { level, message = 'No reason was given.' } = result;
  const mark = markOf(result);
  const text = describe(result);
  switch (counted[mark]) {
    case 'passed':
      return [];
    case 'failures':
      return [markup`      <failure type="${level}" message="${message}">${text}</failure>`];
    case 'errors':
      return [markup`      <error type="${mark}" message="${message}">${text}</error>`];
    case 'skipped':
      return [markup`      <skipped message="${skipReason(result, message)}"/>`];
  }
}

function skipReason(result: Result, message: string): string {
  const mark = markOf(result);
  const reason = mark === 'expected' ? `${describeDeviation(result)} ${message}` : message;
  return `${markWords[mark]} (${result.level}): ${reason}`;
}

function describe(result: Result): string {
  const { message, statement } = result;
  const lines = [message, `Requirement: ${statement}`, `Why: ${describeBasis(result)}`];
  return lines.filter((line) => line !== undefined).join('\n');
}

function output(result: Result): Markup[] {
  const observed = result.observations.map((text) => `Observed: ${text}`);
  const struck = result.outcome === 'pass' ? describeDeviation(result) : undefined;
  const texts = [
    ...(struck ? [struck] : []),
    ...observed,
    ...result.evidence.map(describeExchange),
  ];
  return texts.length === 0 ? [] : [markup`      <system-out>${texts.join('\n\n')}</system-out>`];
}

function describeExchange(
  exchange: Exchange,
  index: number,
  { length }: readonly Exchange[],
): string {
  const headers = Object.entries(exchange.headers ?? {}).map(([name, text]) => `${name}: ${text}`);
  const body = exchange.body ? ['', exchange.body] : [];
  const title = `${evidenceTitle(index, length)}:`;
  return [title, exchange.curl, describeAnswer(exchange), ...headers, ...body].join('\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
