import type { Exchange, Report, Result, Verdict } from '../model/report.ts';
import { escapeMarkdown, fence } from './markdown-text.ts';
import { citationsOf } from './text/clauses.ts';
import { describeResponse, evidenceTitle, excerpt, relevantHeaderLines } from './text/evidence.ts';
import {
  type AreaResults,
  byArea,
  byCause,
  type Cause,
  countMarks,
  describeCounts,
  type Mark,
  marks,
} from './text/marks.ts';
import { markup } from './text/markup.ts';
import {
  areaTitles,
  describeBasis,
  describeDeviation,
  describeMode,
  describeRequirement,
  describeTime,
  firstIds,
  forPeople,
  headline,
  verdictSentence,
} from './text/wording.ts';

const signs: Readonly<Record<Verdict, string>> = {
  conformant: '✅',
  'conformant-with-deviations': '✅',
  nonconformant: '❌',
  incomplete: '⚠️',
};

const bodySize = { lines: 40, characters: 2000 };
const otherBodySize = { lines: 10, characters: 400 };

/** Bytes of a report without its last line; GitHub takes 1 MiB for the summary of a step. */
const mostBytes = 1_000_000;

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const shown = forPeople(report);
  const { verdict, results, reasons, leftBehind } = shown;
  const blocks = [
    `## ${signs[verdict]} ${headline(shown)}: ${describeCounts(results)}`,
    facts(shown),
    escapeMarkdown(verdictSentence(shown)),
    list(reasons),
    table(results),
    ...failures(results),
    ...blocked(results),
    ...section('Left behind on the target', list(leftBehind)),
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
  return [
    ...blocks.slice(0, end),
    'The rest is left out here; the JSON and HTML reports have all of it.',
  ];
}

function facts(report: Report): string {
  const { target, suite } = report;
  const sessions = `sessions: ${describeMode(report)}`;
  const texts = [target, describeTime(report), sessions, `livestream-mock ${suite}`];
  return texts.map(escapeMarkdown).join(' · ');
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text)}`).join('\n');
}

function section(title: string, text: string): string[] {
  return text === '' ? [] : [`### ${title}`, text];
}

function table(results: readonly Result[]): string {
  const used = countMarks(results).map(({ mark }) => mark);
  const rows = byArea(results).map((group) => tableRow(group, used));
  const heads = ['Area', ...used.map((mark) => marks[mark].words)];
  const lines = [heads, heads.map((_, index) => (index === 0 ? '---' : '--:')), ...rows];
  return rows.length === 0 ? '' : lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function tableRow({ area, results }: AreaResults, used: readonly Mark[]): string[] {
  const counts = new Map(countMarks(results).map(({ mark, count }) => [mark, count]));
  return [areaTitles[area], ...used.map((mark) => String(counts.get(mark) ?? ''))];
}

function failures(results: readonly Result[]): string[] {
  const causes = byCause(results, ['fail', 'error', 'expected']);
  return causes.length === 0 ? [] : ['### What failed', ...causes.map(failure)];
}

/** The message, the requirements that it breaks, their clauses, and the first one's evidence. */
function failure({ mark, words, message, results }: Cause): string {
  const title = `${firstIds(results, mostIds)} ${words}`;
  const { evidence } = results[0];
  return [
    markup`<details>\n<summary>${title}</summary>`.markup,
    escapeMarkdown(message),
    list(results.map(describeFully)),
    ...(mark === 'error' ? [] : [clauses(results)]),
    ...evidence.flatMap((exchange, index) => [
      `${evidenceTitle(index, evidence.length)}:`,
      fence(describeExchange(exchange, index === 0), 'text'),
    ]),
    '</details>',
  ].join('\n\n');
}

function clauses(results: readonly Result[]): string {
  return citationsOf(results)
    .map(({ explanation, page }) => `${escapeMarkdown(`Clause ${explanation}`)} See \`${page}\`.`)
    .join('\n\n');
}

/** As many as can be read in a title. */
const mostIds = 8;

function describeFully(result: Result): string {
  const why = result.outcome === 'fail' ? describeBasis(result) : undefined;
  const texts = [describeRequirement(result), why, describeDeviation(result)];
  return texts.filter((text) => text !== undefined).join(' ');
}

/** The exchange that decided has its headers, and more of its body than the others. */
function describeExchange(exchange: Exchange, decided: boolean): string {
  const body = excerpt(exchange.body ?? '', decided ? bodySize : otherBodySize);
  return [
    `$ ${exchange.curl}`,
    describeResponse(exchange),
    ...(decided ? relevantHeaderLines(exchange) : []),
    ...(body === '' ? [] : ['', body]),
  ].join('\n');
}

function blocked(results: readonly Result[]): string[] {
  const lines = byCause(results, ['blocked']).map((cause) => {
    const ids = cause.results.map(({ id, level }) => `${id} (${level})`).join(', ');
    return `${cause.message} Blocked: ${ids}`;
  });
  return section('What would complete the run', list(lines));
}
