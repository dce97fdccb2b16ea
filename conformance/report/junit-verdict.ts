import { exitStatus } from '../verdict.ts';
import { describeCounts } from './marks.ts';
import { type Markup, markup } from './markup.ts';
import type { Report } from './report.ts';
import { verdictSentences } from './wording.ts';

/** The suite of the one test that fails when the run does, which known deviations do not make it. */
export function verdictSuite(report: Report): Markup {
  const failures = exitStatus(report) === 0 ? 0 : 1;
  return markup`  <testsuite name="verdict" tests="1" failures="${failures}" errors="0" skipped="0" time="0.000">
    <properties>
${properties(report)}
    </properties>
    <testcase classname="conformance" name="verdict" time="0.000">
${verdictChildren(report)}
    </testcase>
  </testsuite>`;
}

function properties({ suite, target, provider, readOnly, verdict }: Report): Markup[] {
  const facts = { suite, target, provider, readOnly: String(readOnly), verdict };
  return Object.entries(facts).map(
    ([name, value]) => markup`      <property name="${name}" value="${value}"/>`,
  );
}

function verdictChildren(report: Report): Markup[] {
  const { verdict, results, reasons, leftBehind } = report;
  const message = `${verdict}: ${verdictSentences[verdict]}`;
  const left = leftBehind.map((text) => `Left behind on the target: ${text}`);
  const text = [describeCounts(results), ...reasons, ...left].join('\n');
  return exitStatus(report) === 0
    ? [markup`      <system-out>${text}</system-out>`]
    : [markup`      <failure type="${verdict}" message="${message}">${text}</failure>`];
}
