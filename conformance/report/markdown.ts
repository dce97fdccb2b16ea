import { describeAnswer, excerpt, relevantHeaderLines } from './evidence.ts';
import { escapeMarkdown, fence } from './markdown-text.ts';
import {
  type AreaResults,
  blockages,
  byArea,
  countMarks,
  describeCounts,
  type Mark,
  markOf,
  marks,
  markWords,
} from './marks.ts';
import { escapeText } from './markup.ts';
import type { Exchange, Report, Result, Verdict } from './report.ts';
import { withVisibleStrings } from './visible.ts';
import {
  areaTitles,
  describeBasis,
  describeDeviation,
  describeMode,
  describeTime,
  headline,
} from './wording.ts';

const signs: Readonly<Record<Verdict, string>> = {
  conformant: '✅',
  'conformant-with-deviations': '✅',
  nonconformant: '❌',
  incomplete: '⚠️',
};

const bodySize = { lines: 40, characters: 2000 };

/** A report as GitHub's Markdown, for the summary of a CI job. */
export function renderMarkdown(report: Report): string {
  const shown = withVisibleStrings(report);
  const blocks = [
    `## ${signs[shown.verdict]} ${headline(shown)}: ${describeCounts(shown.results)}`,
    facts(shown),
    list(shown.reasons),
    table(shown.results),
    ...failures(shown.results),
    ...blocked(shown.results),
    ...section('Left behind on the target', list(shown.leftBehind)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
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
  const shown = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error');
  return shown.length === 0 ? [] : ['### Not kept', ...shown.map(failure)];
}

function failure(result: Result): string {
  const { id, level, clause, statement, message } = result;
  const title = `${id} ${markWords[markOf(result)]} (${level}, ${clause}): ${statement}`;
  const why = result.outcome === 'fail' ? describeBasis(result) : undefined;
  const texts = [message, why, describeDeviation(result)].filter((text) => text !== undefined);
  return [
    `<details>\n<summary>${escapeText(title.replace(/\s+/g, ' '))}</summary>`,
    ...texts.map(escapeMarkdown),
    ...result.evidence.map((exchange, index) =>
      fence(describeExchange(exchange, index === result.evidence.length - 1), 'text'),
    ),
    '</details>',
  ].join('\n\n');
}

/** The exchange that decided stands in full, of those before it the first lines. */
function describeExchange(exchange: Exchange, decided: boolean): string {
  const lines = [`$ ${exchange.curl}`, describeAnswer(exchange)];
  if (!decided) return lines.join('\n');
  const body = exchange.body ? ['', excerpt(exchange.body, bodySize)] : [];
  return [...lines, ...relevantHeaderLines(exchange), ...body].join('\n');
}

function blocked(results: readonly Result[]): string[] {
  const lines = blockages(results).map((group) => {
    const ids = group.results.map(({ id, level }) => `${id} (${level})`).join(', ');
    return `${group.remedy} Blocked: ${ids}`;
  });
  return section('What would complete the run', list(lines));
}
