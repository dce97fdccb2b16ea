import type { Exchange, Report, Result } from '../model/report.ts';
import { withVisibleStrings } from '../model/visible.ts';
import { exitStatus } from '../run/verdict.ts';
import { explainClauses } from './text/clauses.ts';
import { describeResponse, evidenceTitle, headerLines } from './text/evidence.ts';
import {
  type AreaResults,
  byArea,
  countMarks,
  describeCounts,
  type Mark,
  markOf,
  marks,
} from './text/marks.ts';
import { type Markup, markup } from './text/markup.ts';
import { describeBasis, describeDeviation, headline, verdictSentence } from './text/wording.ts';

/** Under which of JUnit's counts a result goes. */
const counted = {
  pass: 'passed',
  fail: 'failures',
  error: 'errors',
  expected: 'skipped',
  blocked: 'skipped',
  untested: 'skipped',
  inapplicable: 'skipped',
} as const satisfies Record<Mark, string>;

/**
 * A report as JUnit XML: a suite per area, and one of a single test that fails when the verdict is
 * not conformant, so that a run with skipped requirements cannot look all green.
 */
export function renderJunit(report: Report): string {
  const shown = withVisibleStrings(report);
  const { results, duration, startedAt } = shown;
  const { tests, failures, errors } = count(results);
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="livestream-mock conformance" tests="${tests + 1}" failures="${failures + verdictFailures(shown)}" errors="${errors}" time="${seconds(duration)}" timestamp="${startedAt}">
${byArea(results).map(areaSuite)}
${verdictSuite(shown)}
</testsuites>
`.markup;
}

function count(
  results: readonly Result[],
): Record<'tests' | (typeof counted)[keyof typeof counted], number> {
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
  const children = [...outcomeOf(result), ...outputOf(result)];
  const start = markup`    <testcase classname="conformance.${area}" name="${`${id} ${statement}`}" time="${seconds(duration)}"`;
  return children.length === 0
    ? markup`${start}/>`
    : markup`${start}>
${children}
    </testcase>`;
}

function outcomeOf(result: Result): Markup[] {
  const { level, message = 'No reason was given.' } = result;
  const mark = markOf(result);
  switch (counted[mark]) {
    case 'passed':
      return [];
    case 'failures':
      return [
        markup`      <failure type="${level}" message="${message}">${describe(result)}</failure>`,
      ];
    case 'errors':
      return [markup`      <error type="${mark}" message="${message}">${describe(result)}</error>`];
    case 'skipped':
      return [markup`      <skipped message="${skipReason(result, message)}"/>`];
  }
}

function skipReason(result: Result, message: string): string {
  const mark = markOf(result);
  const reason = mark === 'expected' ? `${describeDeviation(result)} ${message}` : message;
  return `${marks[mark].words} (${result.level}): ${reason}`;
}

function describe(result: Result): string {
  const { message, statement } = result;
  return [
    ...(message === undefined ? [] : [message]),
    `Requirement: ${statement}`,
    `Why: ${describeBasis(result)}`,
    ...explainClauses([result]).map((text) => `Clause ${text}`),
  ].join('\n');
}

function outputOf(result: Result): Markup[] {
  const { outcome, observations, evidence } = result;
  const texts = [
    outcome === 'pass' ? describeDeviation(result) : undefined,
    ...observations.map((text) => `Observed: ${text}`),
    ...evidence.map((one, index) => describeExchange(one, evidenceTitle(index, evidence.length))),
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? [] : [markup`      <system-out>${texts.join('\n\n')}</system-out>`];
}

function describeExchange(exchange: Exchange, title: string): string {
  const body = exchange.body ? ['', exchange.body] : [];
  const received = [describeResponse(exchange), ...headerLines(exchange), ...body];
  return [`${title}:`, exchange.curl, ...received].join('\n');
}

/** The suite of the one test that fails when the run does. */
function verdictSuite(report: Report): Markup {
  return markup`  <testsuite name="verdict" tests="1" failures="${verdictFailures(report)}" errors="0" skipped="0" time="0.000">
    <properties>
${properties(report)}
    </properties>
    <testcase classname="conformance" name="verdict" time="0.000">
${verdictOutcome(report)}
    </testcase>
  </testsuite>`;
}

function verdictFailures(report: Report): 0 | 1 {
  return exitStatus(report) === 0 ? 0 : 1;
}

function properties({ suite, target, provider, readOnly, verdict, areas }: Report): Markup[] {
  const scope = areas && { areas: areas.join(' ') };
  const facts = { suite, target, provider, readOnly: String(readOnly), ...scope, verdict };
  return Object.entries(facts).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>`,
  );
}

function verdictOutcome(report: Report): Markup {
  const { verdict, results, reasons, leftBehind } = report;
  const message = `${headline(report)}: ${verdictSentence(report)}`;
  const left = leftBehind.map((text) => `Left behind on the target: ${text}`);
  const text = [headline(report), describeCounts(results), ...reasons, ...left].join('\n');
  return verdictFailures(report) === 0
    ? markup`      <system-out>${text}</system-out>`
    : markup`      <failure type="${verdict}" message="${message}">${text}</failure>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
