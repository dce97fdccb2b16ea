import type { Exchange, Report, Result, Verdict } from '../model/report.ts';
import { escapeMarkdown, fence } from './markdown-text.ts';
import { describeAnswer, evidenceTitle, excerpt, relevantHeaderLines } from './text/evidence.ts';
import {
  type AreaResults,
  byArea,
  byCause,
  type Cause,
  countMarks,
  describeCounts,
  type Mark,
  markOf,
  marks,
  markWords,
} from './text/marks.ts';
import { escapeText } from './text/markup.ts';
import {
  areaTitles,
  describeBasis,
  describeDeviation,
  describeMode,
  describeRequirement,
  describeTime,
  firstOf,
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

/** Bytes that are left of the 1 MiB that GitHub takes for the summary of a step, the last line aside. */
const mostBytes = 1_000_000;

/** A report as GitHub's Markdown, short enough for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const shown = forPeople(report);
  const blocks = [
    `## ${signs[shown.verdict]} ${headline(shown)}: ${describeCounts(shown.results)}`,
    facts(shown),
    escapeMarkdown(verdictSentence(shown)),
    list(shown.reasons),
    table(shown.results),
    ...failures(shown.results),
    ...blocked(shown.results),
    ...section('Left behind on the target', list(shown.leftBehind)),
  ];
  return `${bound(blocks.filter((block) => block !== '')).join('\n\n')}\n`;
}

/** The blocks that fit; where some do not, a last one says so. */
function bound(blocks: readonly string[]): string[] {
  let bytes = 0;
  const end = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(block) + 2;
    return bytes > mostBytes;
  });
  if (end === -1) return [...blocks];
  return [
    ...blocks.slice(0, end),
    'The rest is left out: it is in the JSON and HTML reports alone.',
  ];
}

function facts(report: Report): string {
  const { target, suite } = report;
  const texts = [
    target,
    describeTime(report),
    `sessions: ${describeMode(report)}`,
    `livestream-mock ${suite}`,
  ];
  return texts.map(escapeMarkdown).join(' · ');
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text)}`).join('\n');
}

function section(title: string, text: string): string[] {
  return text === '' ? [] : [`### ${title}`, text];
}

function table(results: readonly Result[]): string {
  const used = marks.filter((mark) => results.some((result) => markOf(result) === mark));
  const rows = byArea(results).map((group) => tableRow(group, used));
  const heads = ['Area', ...used.map((mark) => markWords[mark])];
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

/** The message once, the requirements that it breaks, and the evidence of the first. */
function failure({ mark, message, results }: Cause): string {
  const ids = firstOf(
    results.map(({ id }) => id),
    mostIds,
  );
  const { evidence } = results[0];
  return [
    `<details>\n<summary>${escapeText(`${ids.join(', ')} ${markWords[mark]}`)}</summary>`,
    escapeMarkdown(message),
    list(results.map(describeFully)),
    ...evidence.flatMap((exchange, index) => [
      `${evidenceTitle(index, evidence.length)}:`,
      fence(describeExchange(exchange, index === 0), 'text'),
    ]),
    '</details>',
  ].join('\n\n');
}

/** As many as can be read in a title. */
const mostIds = 8;

function describeFully(result: Result): string {
  const why = result.outcome === 'fail' ? describeBasis(result) : undefined;
  const texts = [describeRequirement(result), why, describeDeviation(result)];
  return texts.filter((text) => text !== undefined).join(' ');
}

/** The exchange that decided stands with its headers, and with more of its body than the others. */
function describeExchange(exchange: Exchange, decided: boolean): string {
  const body = excerpt(exchange.body ?? '', decided ? bodySize : otherBodySize);
  return [
    `$ ${exchange.curl}`,
    describeAnswer(exchange),
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
