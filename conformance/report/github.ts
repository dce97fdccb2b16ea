import { html } from 'hono/html';
import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import {
  type Cause,
  excerpt,
  type ShownExchange,
  type ShownResult,
  sectionsOf,
} from './sections.ts';
import { firstOf } from './wording.ts';

/** The maximum number of causes, and of lines in a list, as GitHub allows 1 MiB for the summary of a step. */
const maxOfEach = 50;

/** How much of each exchange is shown. */
const maxExcerpt = { lines: 50, characters: 1600 };

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const sections = sectionsOf(report);
  const { mark, headline, sentence, counts, facts, areas, failed, known, blocked } = sections;
  const { suite, reasons, leftBehind } = sections.report;
  const emoji = mark === 'pass' ? '✅' : mark === 'fail' ? '❌' : '⚠️';
  const run = [...facts.map((fact) => fact.join(': ')), `livestream-mock ${suite}`];
  const causes = [...failed, ...known];
  const rest = causes.length - maxOfEach;
  const blocks = [
    `## ${emoji} ${escapeMarkdown(headline)}: ${counts}`,
    run.map(escapeMarkdown).join(' · '),
    escapeMarkdown(sentence),
    list(reasons),
    list(areas.map(({ title, counts }) => `${title}: ${counts}`)),
    ...section('What failed', causes.slice(0, maxOfEach).map(failure)),
    rest > 0 ? `There are ${rest} more; the JSON and HTML reports have all.` : '',
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
function failure({ words, message, results, clauses, exchanges }: Cause): string {
  return [
    String(html`<details>\n<summary>${firstIds(results)} ${words}</summary>`),
    escapeMarkdown(message),
    list(results.map(({ line, known = '' }) => `${line} ${known}`)),
    ...clauses.map((clause) => escapeMarkdown(`Clause ${clause}`)),
    ...exchanges.slice(0, 1).map(describeExchange),
    '</details>',
  ].join('\n\n');
}

function describeExchange({ title, curl, response, headers, body }: ShownExchange): string {
  const lines = [`$ ${curl}`, response, ...headers, ...(body === '' ? [] : ['', body])];
  return `${title}:\n\n${fence(excerpt(lines.join('\n'), maxExcerpt), 'text')}`;
}

function describeBlocked({ message, results }: Cause): string {
  return `${message} Blocked: ${results.map(({ id, level }) => `${id} (${level})`).join(', ')}`;
}

/** The ids of the first results, and how many more there are. */
function firstIds(results: readonly ShownResult[]): string {
  return firstOf(
    results.map(({ id }) => id),
    6,
  ).join(', ');
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
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(Math.max(3, longest + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

/**
 * A report as annotations of a job on GitHub, a workflow command on each line. Every cause of failures has
 * one: an error if it concerns a `must`, otherwise a warning. Another one says why a run is incomplete. The
 * text is empty if nothing failed.
 */
export function renderAnnotations(report: Report): string {
  const { report: shown, headline, sentence, failed } = sectionsOf(report);
  const isIncomplete = exitStatus(shown) !== 0 && shown.verdict !== 'nonconformant';
  return [
    ...(isIncomplete ? [command('error', headline, [sentence, ...shown.reasons].join('\n'))] : []),
    ...failed.map(annotateCause),
  ].join('');
}

function annotateCause({ binds, message, results, clauses }: Cause): string {
  const lines = results.map(({ line }) => line);
  const text = [message, ...lines, ...clauses.map((clause) => `Clause ${clause}`)].join('\n');
  return command(binds ? 'error' : 'warning', firstIds(results), text);
}

/** Escaped as GitHub's toolkit does, so that no text can end its part of the command or begin a line. */
function command(name: 'error' | 'warning', title: string, message: string): string {
  const property = escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${name} title=${property}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
