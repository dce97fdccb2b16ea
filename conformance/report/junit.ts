import { html, raw } from 'hono/html';
import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import type { Markup } from './page.ts';
import { type AreaSection, type Sections, type ShownResult, sectionsOf } from './sections.ts';

/**
 * A report as JUnit XML: a suite per area, and one of a single test that fails when the verdict is
 * not conformant, so that a run with skipped requirements cannot look all green.
 */
export function renderJunit(given: Report): string {
  const sections = sectionsOf(given);
  const { report, results, areas } = sections;
  const { failures, errors } = count(results);
  const attributes = {
    name: 'livestream-mock conformance',
    tests: results.length + 1,
    failures: failures + (exitStatus(report) === 0 ? 0 : 1),
    errors,
    time: seconds(report.duration),
    timestamp: report.startedAt,
  };
  const suites = [...areas.map(areaSuite), verdictSuite(sections)];
  return `<?xml version="1.0" encoding="UTF-8"?>${element('testsuites', attributes, suites)}\n`;
}

/** An element on a line of its own. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly (Markup | undefined)[] = '',
): Markup {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    // XML turns line feeds and tabs in an attribute into spaces unless they are escaped.
    const escaped = String(html`${value}`).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
    return ` ${key}="${escaped}"`;
  });
  return html`\n<${raw(name + pairs.join(''))}>${content}</${raw(name)}>`;
}

function count(results: readonly ShownResult[]) {
  const having = (name: string) => results.filter(({ junit }) => junit === name).length;
  return {
    tests: results.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
}

function areaSuite({ area, results }: AreaSection): Markup {
  const time = seconds(results.reduce((sum, { duration }) => sum + duration, 0));
  return element('testsuite', { name: area, ...count(results), time }, results.map(testCase));
}

function testCase(result: ShownResult): Markup {
  const { id, area, statement, duration, mark, known, observations, exchanges } = result;
  const output = [
    ...(mark === 'pass' && known !== undefined ? [known] : []),
    ...observations.map((text) => `Observed: ${text}`),
    ...exchanges.map(({ title, curl, response, headers, body }) =>
      [`${title}:`, curl, response, ...headers, ...(body === '' ? [] : ['', body])].join('\n'),
    ),
  ].join('\n\n');
  const attributes = {
    classname: `conformance.${area}`,
    name: `${id} ${statement}`,
    time: seconds(duration),
  };
  const outputs = output === '' ? [] : [element('system-out', {}, output)];
  return element('testcase', attributes, [outcomeElement(result), ...outputs]);
}

function outcomeElement(result: ShownResult): Markup | undefined {
  const { mark, junit, words, level, message, known, statement, facts } = result;
  if (junit === undefined) return undefined;
  if (junit === 'skipped') {
    const reason = mark === 'expected' ? `${known} ${message}` : message;
    return element(junit, { message: `${words} (${level}): ${reason}` });
  }
  const why = facts.filter(([term]) => term !== 'Observed').map((fact) => fact.join(': '));
  const text = [`Requirement: ${statement}`, ...why].join('\n');
  return element(junit, { type: mark === 'fail' ? level : mark, message }, text);
}

/** The suite of the one test that fails when the run does, and says what was tested. */
function verdictSuite({ report, headline, sentence, counts, facts }: Sections): Markup {
  const { suite, verdict, reasons, leftBehind } = report;
  const tested = facts.map((fact) => fact.join(': '));
  const left = leftBehind.map((text) => `Left behind on the target: ${text}`);
  const lines = [headline, sentence, counts, ...reasons, ...left, ...tested];
  const text = [...lines, `livestream-mock ${suite}`].join('\n');
  const failures = exitStatus(report) === 0 ? 0 : 1;
  const outcome =
    failures === 0
      ? element('system-out', {}, text)
      : element('failure', { type: verdict, message: `${headline}: ${sentence}` }, text);
  const time = seconds(0);
  const attributes = { name: 'verdict', tests: 1, failures, errors: 0, skipped: 0, time };
  const testcase = { classname: 'conformance', name: 'verdict', time };
  return element('testsuite', attributes, [element('testcase', testcase, [outcome])]);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
