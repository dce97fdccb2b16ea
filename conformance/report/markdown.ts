import { html } from 'hono/html';
import { firstOf } from '../../text/phrases.ts';
import type { Report } from '../model/report.ts';
import { type Cause, excerpt, sectionsOf, type WordedExchange } from './sections.ts';
import { firstIds } from './wording.ts';

/** The maximum number of causes, and of lines in a list, as GitHub allows 1 MiB for the summary of a step. */
const maxOfEach = 50;

/** How much of each exchange is shown. */
const maxExcerpt = { lines: 50, characters: 1600 };

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const sections = sectionsOf(report);
  const { mark, headline, sentence, counts, facts, areas, failed, unmet, known, blocked } =
    sections;
  const { suite, reasons, leftBehind } = sections.report;
  const emoji = mark === 'pass' ? '✅' : mark === 'fail' ? '❌' : '⚠️';
  const run = [...facts.map((fact) => fact.join(': ')), `livestream-mock ${suite}`];
  const rest = (...shown: (readonly Cause[])[]) => Math.max(0, maxOfEach - shown.flat().length);
  const omitted = [...failed, ...unmet, ...known].length - maxOfEach;
  const blocks = [
    `## ${emoji} ${escapeMarkdown(headline)}: ${counts}`,
    run.map(escapeMarkdown).join(' · '),
    escapeMarkdown(sentence),
    list(reasons),
    list(areas.map(({ title, counts }) => `${title}: ${counts}`)),
    ...section('What failed', failed.slice(0, maxOfEach).map(describeCause)),
    ...section('Recommendations not met', unmet.slice(0, rest(failed)).map(describeCause)),
    ...section('Known deviations', known.slice(0, rest(failed, unmet)).map(describeCause)),
    omitted > 0 ? `There are ${omitted} more; the JSON and HTML reports have all.` : '',
    ...section('What would complete the run', [list(blocked.map(describeBlocked))]),
    ...section('Left behind on the target', [list(leftBehind)]),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function list(texts: readonly string[]): string {
  return firstOf(texts, maxOfEach)
    .map((text) => `- ${escapeMarkdown(text)}`)
    .join('\n');
}

function section(title: string, blocks: readonly string[]): string[] {
  return blocks.join('') === '' ? [] : [`### ${title}`, ...blocks];
}

/** The message, the requirements that it concerns, their clauses, and the first one's evidence. */
function describeCause({ words, message, results, clauses, exchanges }: Cause): string {
  return [
    String(html`<details>\n<summary>${firstIds(results)} ${words}</summary>`),
    escapeMarkdown(message),
    list(results.map(({ line, known = '' }) => `${line} ${known}`)),
    ...clauses.map((clause) => escapeMarkdown(`Clause ${clause}`)),
    ...exchanges.slice(0, 1).map(describeExchange),
    '</details>',
  ].join('\n\n');
}

function describeExchange({ title, curl, response, headers, body }: WordedExchange): string {
  const lines = [`$ ${curl}`, response, ...headers, ...(body === '' ? [] : ['', body])];
  return `${title}:\n\n${fence(excerpt(lines.join('\n'), maxExcerpt), 'text')}`;
}

function describeBlocked({ message, results }: Cause): string {
  return `${message} Blocked: ${results.map(({ id, level }) => `${id} (${level})`).join(', ')}`;
}

/** A text on one line for the middle of a Markdown text, with no markup of its own. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      // Emphasis, code, links, tables, strikethrough, formulas, and addresses that become links.
      .replace(/[\\`*_[\]|~$]|:(?=\/\/)|(?<=www)\./gi, '\\$&')
      // What begins a heading, a list or a horizontal line.
      .replace(/^[#+=-]|^(\d+)(?=[.)])/, (start, digits) => (digits ? `${digits}\\` : `\\${start}`))
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // GitHub links people and issues even after an escape, but not across a comment.
      .replace(/@(?=\w)|#(?=\d)/g, '$&<!-- -->')
  );
}

/** A block of code with a fence that its content cannot close. */
export function fence(text: string, language: string): string {
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(Math.max(3, longestRun + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}
