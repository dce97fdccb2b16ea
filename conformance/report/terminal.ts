import { type AreaResults, blockages, byArea, describeCounts } from './marks.ts';
import type { Report, Result, Verdict } from './report.ts';
import { passLines, resultLines, titleLine } from './terminal-result.ts';
import { hang, indent, type Page, painter, type Style, wrap } from './terminal-text.ts';
import { visible, withVisibleStrings } from './visible.ts';
import { areaTitles, describeMode, describeTime, headline, isNotable } from './wording.ts';

/** How a report is written on a terminal. */
export interface TerminalOptions {
  readonly colours: boolean;
  /** Columns; 80 where none are given. */
  readonly width?: number;
}

const verdictStyles: Readonly<Record<Verdict, Style>> = {
  conformant: 'green',
  'conformant-with-deviations': 'green',
  nonconformant: 'red',
  incomplete: 'yellow',
};

const narrowest = 40;

/** A report for a person at a terminal: what did not pass in full, the verdict last. */
export function renderTerminal(report: Report, { colours, width = 80 }: TerminalOptions): string {
  const page: Page = { paint: painter(colours), width: Math.max(width, narrowest) };
  const shown = withVisibleStrings(report);
  const sections = [
    headLines(shown, page),
    ...byArea(shown.results).map((group) => areaLines(group, page)),
    blockedLines(shown.results, page),
    observationLines(shown.results, page),
    listLines('Left behind on the target', shown.leftBehind, page),
    verdictLines(shown, page),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** One line that says how far a run is; the check that runs now stands at its end. */
export function renderProgress(done: number, total: number, current: string): string {
  const count = String(done).padStart(String(total).length);
  const room = 80 - `${count}/${total} `.length;
  const name = [...visible(current).replaceAll(/[\n\t]/g, ' ')].slice(0, room).join('');
  return `${count}/${total} ${name}`.trimEnd();
}

function headLines(report: Report, page: Page): string[] {
  const facts: [string, string][] = [
    ['Target', report.target],
    ['Started', describeTime(report)],
    ['Sessions', describeMode(report)],
  ];
  const title = page.paint('bold', `Conformance report, livestream-mock ${report.suite}`);
  return [title, ...facts.flatMap(([label, text]) => hang(label, wrap(text, page.width - 10), 10))];
}

function areaLines({ area, results }: AreaResults, page: Page): string[] {
  const passed = results.filter((result) => !isNotable(result)).map(({ id }) => id);
  const notable = results.filter((result) => isNotable(result) && result.outcome !== 'blocked');
  return [
    ...titleLines(areaTitles[area], 'bold', describeCounts(results), page),
    ...(passed.length === 0 ? [] : passLines(passed, page)),
    ...notable.flatMap((result) => indent(resultLines(result, page))),
  ];
}

function blockedLines(results: readonly Result[], page: Page): string[] {
  const groups = blockages(results);
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => [
    ...wrap(group.remedy, page.width - 2),
    ...group.results.flatMap((result) => [
      ...indent([titleLine(result, page)]),
      ...indent(wrap(result.statement, page.width - 6), 4),
    ]),
  ]);
  return [page.paint('bold', 'Blocked, by what would unblock them'), ...indent(lines)];
}

function observationLines(results: readonly Result[], page: Page): string[] {
  const noted = results.flatMap(({ id, observations }) =>
    observations.map((text) => `${id}: ${text}`),
  );
  return listLines('Observed, not judged', noted, page);
}

function listLines(title: string, texts: readonly string[], { paint, width }: Page): string[] {
  if (texts.length === 0) return [];
  const lines = texts.flatMap((text) => hang('-', wrap(text, width - 4), 2));
  return [paint('bold', title), ...indent(lines)];
}

function verdictLines(report: Report, page: Page): string[] {
  const { verdict, results, reasons } = report;
  const lines = reasons.flatMap((text) => hang('-', wrap(text, page.width - 4), 2));
  return [
    ...titleLines(headline(report), verdictStyles[verdict], describeCounts(results), page),
    ...indent(lines),
  ];
}

/** A title with words behind it, or below it where there is no room. */
function titleLines(title: string, style: Style, text: string, { paint, width }: Page): string[] {
  const fits = title.length + 2 + text.length <= width;
  const painted = paint(style, title);
  return fits ? [`${painted}  ${text}`] : [painted, ...indent(wrap(text, width - 2))];
}
