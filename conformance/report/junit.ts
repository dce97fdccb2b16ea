import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import { element, type Markup } from './markup.ts';
import { type Sections, type ShownResult, sectionsOf } from './sections.ts';

/**
 * A report as JUnit XML: a suite per area, and one of a single test that fails when the verdict is
 * not conformant, so that a run with skipped requirements cannot look all green.
 */
export function renderJunit(report: Report): string {
  const sections = sectionsOf(report);
  const { results, areas } = sections;
  const { duration, startedAt } = sections.report;
  const { failures, errors } = count(results);
  const attributes = {
    name: 'livestream-mock conformance',
    tests: results.length + 1,
    failures: failures + (exitStatus(report) === 0 ? 0 : 1),
    errors,
    time: seconds(duration),
    timestamp: startedAt,
  };
  const suites = [...areas.map(areaSuite), verdictSuite(sections)];
  const { markup } = element('testsuites', attributes, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup}\n`;
}

function count(
  results: readonly ShownResult[],
): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const having = (name: string) => results.filter(({ junit }) => junit === name).length;
  return {
    tests: results.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
}

function areaSuite({ area, results }: Sections['areas'][number]): Markup {
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
  const children = [
    outcomeElement(result),
    output === '' ? undefined : element('system-out', {}, output),
  ];
  return element('testcase', attributes, children);
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

/** The suite of the one test that fails when the run does; its properties say what was tested. */
function verdictSuite({ report, headline, sentence, counts }: Sections): Markup {
  const { suite, target, provider, readOnly, areas, only, verdict, reasons, leftBehind } = report;
  const facts = { suite, target, provider, readOnly, areas, only, verdict };
  const properties = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => element('property', { name, value: [value].flat().join(' ') }));
  const left = leftBehind.map((text) => `Left behind on the target: ${text}`);
  const text = [headline, counts, ...reasons, ...left].join('\n');
  const failed = exitStatus(report) !== 0;
  const outcome = failed
    ? element('failure', { type: verdict, message: `${headline}: ${sentence}` }, text)
    : element('system-out', {}, text);
  const time = seconds(0);
  const attributes = { name: 'verdict', tests: 1, failures: failed ? 1 : 0, errors: 0, skipped: 0 };
  return element('testsuite', { ...attributes, time }, [
    element('properties', {}, properties),
    element('testcase', { classname: 'conformance', name: 'verdict', time }, [outcome]),
  ]);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
