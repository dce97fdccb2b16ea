import type { Report, Result } from '../../model/report.ts';
import { type AreaResults, byCause, type Cause, describeCounts, markOf } from '../text/marks.ts';
import {
  areaTitles,
  describeDuration,
  describeMode,
  describeTime,
  firstOf,
  isNotable,
} from '../text/wording.ts';
import { causeLines, passLines, resultLines, titleLine } from './result.ts';
import { hang, indent, type Page, type Style, wrap } from './text.ts';

/** What was judged; where everything is shown, when and how as well. */
export function headLines(report: Report, page: Page): string[] {
  const { suite, target, duration } = report;
  if (!page.verbose) {
    const text = `livestream-mock ${suite} judged ${target} in ${describeDuration(duration)}`;
    return wrap(text, page.width);
  }
  const facts: [string, string][] = [
    ['Target', target],
    ['Started', describeTime(report)],
    ['Sessions', describeMode(report)],
  ];
  const title = page.paint('bold', `Conformance report, livestream-mock ${suite}`);
  return [title, ...facts.flatMap(([label, text]) => hang(label, wrap(text, page.width - 10), 10))];
}

/** How an area fared; what failed and what is blocked stands below, by its cause. */
export function areaLines({ area, results }: AreaResults, page: Page): string[] {
  const passed = results.filter((result) => !isNotable(result)).map(({ id }) => id);
  const notable = results.filter(
    (result) => isNotable(result) && !['fail', 'error', 'blocked'].includes(markOf(result)),
  );
  return [
    ...titleLines(areaTitles[area], 'bold', describeCounts(results), page),
    ...(passed.length === 0 ? [] : passLines(passed, page)),
    ...notable.flatMap((result) => indent(resultLines(result, page))),
  ];
}

/** What failed, by its cause. */
export function causesLines(results: readonly Result[], page: Page): string[] {
  return byCause(results, ['fail', 'error']).flatMap((cause) => causeLines(cause, page));
}

/** What is blocked, below what would unblock it. */
export function blockedLines(results: readonly Result[], page: Page): string[] {
  const lines = byCause(results, ['blocked']).flatMap((cause) => [
    ...wrap(cause.message, page.width - 2),
    ...indent(blockedBy(cause, page)),
  ]);
  if (lines.length === 0) return [];
  return [page.paint('bold', 'Blocked, by what would unblock them'), ...indent(lines)];
}

function blockedBy({ results }: Cause, page: Page): string[] {
  if (!page.verbose) return wrap(results.map(({ id }) => id).join(', '), page.width - 4);
  return results.flatMap((result) => [
    titleLine(result, page),
    ...indent(wrap(result.statement, page.width - 6)),
  ]);
}

/** Where everything is shown, what was noted and not judged. */
export function observationLines(results: readonly Result[], page: Page): string[] {
  if (!page.verbose) return [];
  const noted = results.flatMap(({ id, observations }) =>
    observations.map((text) => `${id}: ${text}`),
  );
  return listLines('Observed, not judged', noted, page);
}

/** What stays on the target: all where a run ended before it could clean up, or the beginning. */
export function leftLines({ leftBehind, interrupted }: Report, page: Page): string[] {
  const texts = page.verbose || interrupted ? leftBehind : firstOf(leftBehind, 2);
  return listLines('Left behind on the target', texts, page);
}

function listLines(title: string, texts: readonly string[], { paint, width }: Page): string[] {
  if (texts.length === 0) return [];
  const lines = texts.flatMap((text) => hang('-', wrap(text, width - 4), 2));
  return [paint('bold', title), ...indent(lines)];
}

/** A title with words behind it, or below it where there is no room. */
export function titleLines(
  title: string,
  style: Style,
  text: string,
  { paint, width }: Page,
): string[] {
  const fits = title.length + 2 + text.length <= width;
  const painted = paint(style, title);
  return fits ? [`${painted}  ${text}`] : [painted, ...indent(wrap(text, width - 2))];
}
