import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import { describeCounts } from './text/marks.ts';
import { type Markup, markup } from './text/markup.ts';
import { headline, verdictSentence } from './text/wording.ts';

/** Failures of the one test that fails when the run does. */
export function failuresOfRun(report: Report): 0 | 1 {
  return exitStatus(report) === 0 ? 0 : 1;
}

/** The suite of that test. */
export function verdictSuite(report: Report): Markup {
  return markup`  <testsuite name="verdict" tests="1" failures="${failuresOfRun(report)}" errors="0" skipped="0" time="0.000">
    <properties>
${properties(report)}
    </properties>
    <testcase classname="conformance" name="verdict" time="0.000">
${verdictChildren(report)}
    </testcase>
  </testsuite>`;
}

function properties({ suite, target, provider, readOnly, verdict, areas }: Report): Markup[] {
  const scope = areas && { areas: areas.join(' ') };
  const facts = { suite, target, provider, readOnly: String(readOnly), ...scope, verdict };
  return Object.entries(facts).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>`,
  );
}

function verdictChildren(report: Report): Markup[] {
  const { verdict, results, reasons, leftBehind } = report;
  const message = `${headline(report)}: ${verdictSentence(report)}`;
  const left = leftBehind.map((text) => `Left behind on the target: ${text}`);
  const text = [headline(report), describeCounts(results), ...reasons, ...left].join('\n');
  return failuresOfRun(report) === 0
    ? [markup`      <system-out>${text}</system-out>`]
    : [markup`      <failure type="${verdict}" message="${message}">${text}</failure>`];
}
