import type { Report } from '../model/report.ts';
import { exitStatus } from '../run/verdict.ts';
import { markup } from './markup.ts';
import {
  type AreaSection,
  type Cause,
  countMarks,
  excerpt,
  marks,
  pageSections,
  type ShownExchange,
  type ShownResult,
  sectionsOf,
} from './sections.ts';
import { citationsOf, firstOf } from './wording.ts';

/** Bytes of a report without its last line; GitHub takes 1 MiB for the summary of a step. */
const mostBytes = 1_000_000;

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const sections = pageSections(report);
  const { mark, headline, sentence, counts, facts, results, areas, failed, known, blocked } =
    sections;
  const { suite, reasons, leftBehind } = sections.report;
  const emoji = mark === 'pass' ? '✅' : mark === 'fail' ? '❌' : '⚠️';
  const run = [...facts.map(([term, text]) => `${term}: ${text}`), `livestream-mock ${suite}`];
  const blocks = [
    `## ${emoji} ${escapeMarkdown(headline)}: ${counts}`,
    run.map(escapeMarkdown).join(' · '),
    escapeMarkdown(sentence),
    list(reasons),
    table(areas, results),
    ...section('What failed', [...failed, ...known].map(failure)),
    ...section('What would complete the run', [list(blocked.map(describeBlocked))]),
    ...section('Left behind on the target', [list(leftBehind)]),
  ];
  return `${bound(blocks.filter((block) => block !== '')).join('\n\n')}\n`;
}

/** The blocks that fit; where some do not, a last one says so. */
function bound(blocks: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(block) + 2;
    return bytes > mostBytes;
  });
  if (end === -1) return blocks;
  const rest = 'The rest is left out here; the JSON and HTML reports have all of it.';
  return [...blocks.slice(0, end), rest];
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text)}`).join('\n');
}

function section(title: string, blocks: readonly string[]): string[] {
  return blocks.join('') === '' ? [] : [`### ${title}`, ...blocks];
}

/** How many results of each area have which mark. */
function table(areas: readonly AreaSection[], all: readonly ShownResult[]): string {
  const used = countMarks(all).map(({ mark }) => mark);
  const rows = areas.map(({ title, results }) => {
    const counts = new Map(countMarks(results).map(({ mark, count }) => [mark, count]));
    return [title, ...used.map((mark) => counts.get(mark) ?? '')];
  });
  const head = [
    ['Area', ...used.map((mark) => marks[mark].words)],
    ['---', ...used.map(() => '--:')],
  ];
  const lines = [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return rows.length === 0 ? '' : lines.join('\n');
}

/** The message, the requirements that it breaks, their clauses, and the first one's evidence. */
function failure({ mark, words, message, results, exchanges }: Cause): string {
  const clauses = mark === 'error' ? [] : citationsOf(results);
  return [
    markup`<details>\n<summary>${firstIds(results, 8)} ${words}</summary>`.markup,
    escapeMarkdown(message),
    list(results.map(describeFully)),
    ...clauses.map((one) => `${escapeMarkdown(`Clause ${one.explanation}`)} See \`${one.page}\`.`),
    ...exchanges.map(describeExchange),
    '</details>',
  ].join('\n\n');
}

function describeFully({ outcome, line, why, known }: ShownResult): string {
  const texts = [line, outcome === 'fail' ? why : undefined, known];
  return texts.filter((text) => text !== undefined).join(' ');
}

/** The exchange that decided has its headers, and more of its body than the others. */
function describeExchange(exchange: ShownExchange, index: number): string {
  const { title, curl, response, mainHeaders, body } = exchange;
  const decided = index === 0;
  const most = decided ? { lines: 40, characters: 2000 } : { lines: 10, characters: 400 };
  const received = body === '' ? [] : ['', excerpt(body, most)];
  const lines = [`$ ${curl}`, response, ...(decided ? mainHeaders : []), ...received];
  return `${title}:\n\n${fence(lines.join('\n'), 'text')}`;
}

function describeBlocked({ message, results }: Cause): string {
  return `${message} Blocked: ${results.map(({ id, level }) => `${id} (${level})`).join(', ')}`;
}

/** The ids of the first results, and how many more there are. */
function firstIds(results: readonly ShownResult[], most: number): string {
  const ids = results.map(({ id }) => id);
  return firstOf(ids, most).join(', ');
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
      // GitHub links persons and issues in spite of an escape, but not across a comment.
      .replace(/[@#](?=\w)/g, '$&<!-- -->')
  );
}

/** A block of code with a fence that its content cannot close. */
export function fence(text: string, language: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(Math.max(3, longest + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

/**
 * A report as annotations of a job on GitHub, a workflow command on each line: one for every cause of
 * failures, an error where it breaks a `must` and else a warning, and one that says why a run is
 * incomplete. The text is empty where nothing failed.
 */
export function renderAnnotations(report: Report): string {
  const { report: shown, headline, failed } = sectionsOf(report);
  const isIncomplete = exitStatus(shown) !== 0 && shown.verdict !== 'nonconformant';
  return [
    ...(isIncomplete ? [command('error', headline, shown.reasons.join('\n'))] : []),
    ...failed.map(annotateCause),
  ].join('');
}

function annotateCause({ binds, message, results, clauses }: Cause): string {
  const lines = results.map(({ line }) => line);
  const text = [message, ...lines, ...clauses.map((clause) => `Clause ${clause}`)].join('\n');
  return command(binds ? 'error' : 'warning', firstIds(results, 4), text);
}

/** Escaped as GitHub's toolkit does, so that no text can end its part of the command or begin a line. */
function command(name: 'error' | 'warning', title: string, message: string): string {
  const property = escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${name} title=${property}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
