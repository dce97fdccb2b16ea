import type { Report, Verdict } from '../../model/report.ts';
import { visible, withVisibleStrings } from '../../model/visible.ts';
import { groundsOf, groupByMessage } from '../../run/verdict.ts';
import { byArea, describeCounts } from '../text/marks.ts';
import { headline } from '../text/wording.ts';
import {
  areaLines,
  blockedLines,
  causesLines,
  clauseLines,
  headLines,
  leftLines,
  observationLines,
} from './sections.ts';
import {
  bullets,
  type Page,
  painter,
  type Style,
  titleLines,
  withoutCommands,
  wrap,
} from './text.ts';

/** How a report is written on a terminal. */
export interface TerminalOptions {
  readonly colours: boolean;
  /** Columns; 80 where none are given. */
  readonly width?: number;
  /** `quiet`: the verdict on one line. `normal`, the default: also why. `verbose`: everything. */
  readonly detail?: 'quiet' | 'normal' | 'verbose';
}

const verdictStyles: Readonly<Record<Verdict, Style>> = {
  conformant: 'green',
  'conformant-with-deviations': 'green',
  nonconformant: 'red',
  incomplete: 'yellow',
};

const narrowest = 40;

/** A report for a person at a terminal: what did not pass, and the verdict last. */
export function renderTerminal(
  report: Report,
  { colours, width = 80, detail = 'normal' }: TerminalOptions,
): string {
  const shown = withVisibleStrings(report);
  const page: Page = {
    paint: painter(colours),
    width: Math.max(width, narrowest),
    verbose: detail === 'verbose',
  };
  const text = detail === 'quiet' ? quietLine(shown) : sectionsOf(shown, page);
  return `${withoutCommands(text)}\n`;
}

/** How far a run is, in one line that ends with the check under way. */
export function renderProgress(done: number, total: number, current: string): string {
  const count = String(done).padStart(String(total).length);
  const room = 80 - `${count}/${total} `.length;
  const name = [...visible(current).replaceAll(/[\n\t]/g, ' ')].slice(0, room).join('');
  return `${count}/${total} ${name}`.trimEnd();
}

function quietLine(report: Report): string {
  const { results, unjudgeable, leftBehind } = report;
  const left = leftBehind.length === 0 ? '' : `, ${leftBehind.length} left behind`;
  const text = unjudgeable === undefined ? `: ${describeCounts(results)}` : `. ${unjudgeable}`;
  return (headline(report) + text + left).replaceAll(/\s+/g, ' ');
}

function sectionsOf(report: Report, page: Page): string {
  const { results, unjudgeable } = report;
  const ending = [leftLines(report, page), verdictLines(report, page)];
  const areas = page.verbose ? byArea(results).map((group) => areaLines(group, page)) : [];
  const sections =
    unjudgeable !== undefined && !page.verbose
      ? ending
      : [
          headLines(report, page),
          ...areas,
          causesLines(results, page),
          clauseLines(results, page),
          blockedLines(results, page),
          observationLines(results, page),
          ...ending,
        ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return texts.join('\n\n');
}

/** The headline, the counts, and the reasons that are not shown above. */
function verdictLines(report: Report, page: Page): string[] {
  const { verdict, results, unjudgeable } = report;
  const style = verdictStyles[verdict];
  if (unjudgeable !== undefined) {
    const title = headline(report);
    const [first = '', ...more] = wrap(`${title}. ${unjudgeable}`, page.width);
    return [page.paint(style, title) + first.slice(title.length), ...more];
  }
  const { open, remarks, exceptions } = groundsOf(report);
  const untested = open.filter(({ outcome }) => outcome === 'untested');
  const reasons = [...groupByMessage(untested), ...remarks, ...groupByMessage(exceptions)];
  return [
    ...titleLines(headline(report), style, describeCounts(results), page),
    ...bullets(reasons, page.width),
  ];
}
