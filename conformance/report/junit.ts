import { html, raw } from 'hono/html';
import type { Report } from '../model/report.ts';
import { groundsOf } from '../run/verdict.ts';
import type { Markup } from './page.ts';
import { type ShownResult, sectionsOf } from './sections.ts';

/**
 * A report as JUnit XML: a suite for each area, a test for each requirement. Requirements that keep the
 * verdict open are errors, and so is a test of its own where something else does, so that an
 * incomplete run does not look all green.
 */
export function renderJunit(given: Report): string {
  // Of a target that cannot be judged, every result says why.
  const { unjudgeable, ...examined } = given;
  const { report, results, areas } = sectionsOf(examined);
  const grounds = groundsOf(report);
  const open = new Set(grounds.open.map(({ id }) => id));
  const kindOf = ({ id, junit }: ShownResult) => (open.has(id) ? 'error' : junit);
  const count = (among: readonly ShownResult[]) => {
    const having = (kind: string) => among.filter((one) => kindOf(one) === kind).length;
    const counts = { failures: having('failure'), errors: having('error') };
    return { tests: among.length, ...counts, skipped: having('skipped') };
  };
  const suites = areas.map(({ area, results: ofArea }) => {
    const time = seconds(ofArea.reduce((sum, { duration }) => sum + duration, 0));
    const cases = ofArea.map((result) => testCase(result, kindOf(result)));
    return element('testsuite', { name: area, ...count(ofArea), time }, cases);
  });
  const verdictErrors = grounds.remarks.length === 0 ? 0 : 1;
  const { tests, failures, errors } = count(results);
  const attributes = {
    name: 'livestream-mock conformance',
    tests: tests + verdictErrors,
    failures,
    errors: errors + verdictErrors,
    time: seconds(report.duration),
    timestamp: report.startedAt,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>${element('testsuites', attributes, [...suites, verdictSuite(grounds.remarks, report.leftBehind)])}\n`;
}

/** What concerns the whole run: a test, where something keeps the verdict open, and what was left behind. */
function verdictSuite(remarks: readonly string[], leftBehind: readonly string[]): Markup {
  const time = seconds(0);
  const content: Markup[] = [];
  if (remarks.length > 0) {
    const error = element('error', { type: 'incomplete', message: remarks.join('\n') });
    content.push(element('testcase', { classname: 'conformance', name: 'verdict', time }, [error]));
  }
  const tests = content.length;
  if (leftBehind.length > 0) {
    const lines = leftBehind.map((text) => `Left behind on the target: ${text}`);
    content.push(element('system-out', {}, lines.join('\n')));
  }
  const counts = { tests, failures: 0, errors: tests, skipped: 0 };
  return element('testsuite', { name: 'verdict', ...counts, time }, content);
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

function testCase(result: ShownResult, kind: ShownResult['junit']): Markup {
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
  return element('testcase', attributes, [kind && outcomeElement(result, kind), ...outputs]);
}

function outcomeElement(result: ShownResult, kind: NonNullable<ShownResult['junit']>): Markup {
  const { mark, words, level, message, known, statement, facts } = result;
  if (kind === 'skipped') {
    const reason = mark === 'expected' ? `${known} ${message}` : message;
    return element(kind, { message: `${words} (${level}): ${reason}` });
  }
  const why = facts.filter(([term]) => term !== 'Observed').map((fact) => fact.join(': '));
  const text = [`Requirement: ${statement}`, ...why].join('\n');
  return element(kind, { type: mark === 'fail' ? level : mark, message }, text);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
