import { html } from 'hono/html';
import { firstOf } from '../../text/phrases.ts';
import type { Report } from '../model/report.ts';
import { sectionsOf } from './report-sections.ts';
import {
  type Cause,
  type CauseList,
  decisiveExchanges,
  excerpt,
  type Sections,
  type WordedExchange,
  type WordedResult,
} from './sections.ts';
import { firstIds } from './wording.ts';

/** The maximum number of causes, and of lines in a list, as GitHub allows 1 MiB for the summary of a step. */
const maxOfEach = 50;

/** How much of each exchange is shown. */
const maxExcerpt = { lines: 50, characters: 1600 };

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  return markdownOf(sectionsOf(report));
}

/** {@link renderMarkdown}, of any report. */
export function markdownOf(sections: Sections): string {
  const { mark, headline, sentence, counts, facts, areas, version, reasons } = sections;
  const { failed, unmet, known, blocked, notes } = sections;
  const emoji = mark === 'pass' ? '✅' : mark === 'fail' ? '❌' : '⚠️';
  const run = [...facts.map((fact) => fact.join(': ')), `livestream-mock ${version}`];
  const violations = [failed, unmet, known];
  const omitted = violations.flatMap(({ causes }) => causes).length - maxOfEach;
  const blocks = [
    `## ${emoji} ${escapeMarkdown(headline)}: ${counts}`,
    run.map(escapeMarkdown).join(' · '),
    escapeMarkdown(sentence),
    list(reasons),
    list(areas.map(({ title, counts }) => `${title}: ${counts}`)),
    ...firstCauses(violations).flatMap(({ title, causes }) =>
      section(title, causes.map(describeCause)),
    ),
    omitted > 0 ? `There are ${omitted} more; the JSON and HTML reports have all.` : '',
    ...section(blocked.title, [
      list(blocked.causes.map((cause) => describeBlocked(cause, blocked))),
    ]),
    ...notes.flatMap(({ title, texts }) => section(title, [list(texts)])),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Lists of causes that have {@link maxOfEach} causes together. */
function firstCauses(lists: readonly CauseList[]): CauseList[] {
  let room = maxOfEach;
  return lists.map(({ causes, ...list }) => {
    const shown = causes.slice(0, room);
    room -= shown.length;
    return { ...list, causes: shown };
  });
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
    list(results.map(describeResult)),
    ...clauses.map((clause) => escapeMarkdown(`Clause ${clause}`)),
    ...decisiveExchanges(exchanges).map(describeExchange),
    '</details>',
  ].join('\n\n');
}

function describeResult({ line, derivation, known }: WordedResult): string {
  return [line, derivation, known].filter((text) => text !== undefined).join(' ');
}

function describeExchange(exchange: WordedExchange): string {
  const { title, command, response, headers, element = '', body, telling } = exchange;
  const beginning = [`$ ${command}`, response, ...headers, element].join('\n').trimEnd();
  // The end of a body may tell most, but what was sent is never left out.
  const text =
    telling === 'end'
      ? [beginning, excerpt(body, maxExcerpt, 'end')].join('\n\n')
      : excerpt(body === '' ? beginning : [beginning, body].join('\n\n'), maxExcerpt);
  return `${title}:\n\n${fence(text, 'text')}`;
}

function describeBlocked({ message, results }: Cause, { word }: CauseList): string {
  return `${message} ${word}: ${results.map(({ id, level }) => `${id} (${level})`).join(', ')}`;
}

/** A text on one line for the middle of a Markdown text, with no markup of its own. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, (run) => (/^ +$/.test(run) ? run : ' '))
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
      // Several spaces may be what is wrong in a value.
      .replace(/ (?= )/g, '&nbsp;')
  );
}

/** A block of code with a fence that its content cannot close. */
export function fence(text: string, language: string): string {
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(Math.max(3, longestRun + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}
