import { html, raw } from 'hono/html';
import type { Report } from '../model/report.ts';
import type { Markup } from './html-page.ts';
import { sectionsOf } from './report-sections.ts';
import type { Mark, Sections, WordedResult } from './sections.ts';

/**
 * The element that says how each result ended; a test without one passed. A failure makes readers count the job as
 * broken, although `check` exits with 0, so what does not fail the run is skipped: Jenkins and GitLab show the message
 * of a skipped test, and most reporters for GitHub at least list it apart. Of a test that passed, they show no text.
 */
const elements = {
  pass: undefined,
  noted: undefined,
  fail: 'failure',
  error: 'error',
  unmet: 'skipped',
  expected: 'skipped',
  blocked: 'skipped',
  untested: 'skipped',
  inapplicable: 'skipped',
  untestable: 'skipped',
} as const satisfies Record<Mark, string | undefined>;

/** A JUnit test. `kind` is the element that says how it ended. */
type Case = ReturnType<typeof caseOf>;

/**
 * A report as JUnit XML: a suite for each area, with a test for each requirement, and a test for the verdict,
 * so that an incomplete run does not look successful.
 */
export function renderJunit(report: Report): string {
  return junitOf(sectionsOf(report));
}

/** {@link renderJunit}, of any report. */
export function junitOf(sections: Sections): string {
  const { category, duration, startedAt: timestamp } = sections;
  const toCase = (result: WordedResult): Case => caseOf(result, category);
  const verdict = verdictCase(sections);
  const { skipped: _, ...counts } = countsOf([...sections.results.map(toCase), verdict]);
  const attributes = { name: `livestream-mock ${category}`, ...counts, time: seconds(duration) };
  const suites = [
    ...sections.areas.map(({ area, results }) => suite(area, results.map(toCase))),
    suite('verdict', [verdict]),
  ];
  const root = element('testsuites', { ...attributes, timestamp }, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>${root}\n`;
}

function caseOf(
  { exchanges, observations, ...result }: WordedResult,
  category: Sections['category'],
) {
  const { id, area, level, statement, duration, mark, words, message, facts } = result;
  return {
    classname: `${category}.${area}`,
    name: `${id} ${statement}`,
    duration,
    kind: elements[mark],
    message: `${words} (${level}): ${message}`,
    text: facts.map((fact) => fact.join(': ')).join('\n'),
    output: [
      ...observations.map((text) => `Observed: ${text}`),
      ...exchanges.map(({ title, command, response, headers, element = '', body }) =>
        [`${title}:`, command, response, ...headers, element, body].join('\n').trimEnd(),
      ),
    ].join('\n\n'),
  };
}

/** The verdict, and what was left behind. */
function verdictCase(sections: Sections): Case {
  const { category, exitStatus, headline, sentence, reasons, notes } = sections;
  const kinds = { 0: undefined, 1: 'failure', 2: 'error', 4: 'error' } as const;
  return {
    classname: category,
    name: 'verdict',
    duration: 0,
    kind: kinds[exitStatus],
    message: headline,
    text: [sentence, ...reasons].join('\n'),
    output: notes
      .flatMap(({ title, texts }) => texts.map((text) => `${title}: ${text}`))
      .join('\n'),
  };
}

function countsOf(cases: readonly Case[]) {
  const having = (counted: Case['kind']) => cases.filter(({ kind }) => kind === counted).length;
  const counts = { failures: having('failure'), errors: having('error') };
  return { tests: cases.length, ...counts, skipped: having('skipped') };
}

function suite(name: string, cases: readonly Case[]): Markup {
  const tests = cases.map(({ classname, name, duration, kind, message, text, output }) =>
    element('testcase', { classname, name, time: seconds(duration) }, [
      kind && element(kind, { message }, text),
      output === '' ? undefined : element('system-out', {}, output),
    ]),
  );
  return element('testsuite', { name, ...countsOf(cases) }, tests);
}

/** An element on a line of its own. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly (Markup | undefined)[],
): Markup {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    // XML turns line feeds and tabs in an attribute into spaces unless they are escaped.
    const escaped = String(html`${value}`).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
    return ` ${key}="${escaped}"`;
  });
  return html`\n<${raw(name + pairs.join(''))}>${content}</${raw(name)}>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
