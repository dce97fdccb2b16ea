import type { Report, Result } from '../../model/report.ts';
import { joinIds } from '../../run/verdict.ts';
import { citationsOf, clausesPage } from '../text/clauses.ts';
import {
  type AreaResults,
  byCause,
  type Cause,
  describeCounts,
  markOf,
  marks,
} from '../text/marks.ts';
import {
  areaTitles,
  describeDuration,
  describeMode,
  describeTarget,
  describeTime,
  firstOf,
} from '../text/wording.ts';
import { causeLines, resultLines, titleLine } from './result.ts';
import { bullets, hang, indent, type Page, titleLines, wrap } from './text.ts';

/** What was judged; in a verbose report, when and how as well. */
export function headLines(report: Report, page: Page): string[] {
  const { suite, duration } = report;
  const target = describeTarget(report);
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

/** One area: the ids of what passed, and all others in full but those that the causes below show. */
export function areaLines({ area, results }: AreaResults, page: Page): string[] {
  const passed = results.filter(
    ({ outcome, deviation }) => outcome === 'pass' && deviation === undefined,
  );
  const others = results.filter(
    (result) => !passed.includes(result) && !['fail', 'error', 'blocked'].includes(markOf(result)),
  );
  return [
    ...titleLines(areaTitles[area], 'bold', describeCounts(results), page),
    ...(passed.length === 0 ? [] : indent(passLines(passed, page))),
    ...others.flatMap((result) => indent(resultLines(result, page))),
  ];
}

function passLines(results: readonly Result[], { paint, width }: Page): string[] {
  const lines = wrap(results.map(({ id }) => id).join(' '), width - 4);
  return lines.map(
    (line, index) => `${index === 0 ? paint('green', marks.pass.sign) : ' '} ${line}`,
  );
}

/** What failed, by its cause. */
export function causesLines(results: readonly Result[], page: Page): string[] {
  return byCause(results, ['fail', 'error']).flatMap((cause) => causeLines(cause, page));
}

/** The clauses that failures cite, in full: those of each cause's first one, in a verbose report all. */
export function clauseLines(results: readonly Result[], page: Page): string[] {
  const failed = page.verbose
    ? results.filter(({ outcome }) => outcome === 'fail')
    : byCause(results, ['fail']).map((cause) => cause.results[0]);
  const lines = citationsOf(failed).flatMap(({ explanation }) => {
    const [first = '', ...others] = wrap(explanation, page.width - 4);
    return indent([first, ...indent(others)]);
  });
  return lines.length === 0
    ? []
    : [page.paint('bold', `Clauses, explained in ${clausesPage}`), ...lines];
}

/** What is blocked, below what would unblock it. */
export function blockedLines(results: readonly Result[], page: Page): string[] {
  const lines = byCause(results, ['blocked']).flatMap((cause) => [
    ...wrap(cause.message, page.width - 2),
    ...indent(blockedBy(cause, page)),
  ]);
  if (lines.length === 0) return [];
  return [page.paint('bold', 'Blocked, and what would unblock it'), ...indent(lines)];
}

function blockedBy({ results }: Cause, page: Page): string[] {
  if (!page.verbose) return wrap(joinIds(results), page.width - 4);
  return results.flatMap((result) => [
    titleLine(result, page),
    ...indent(wrap(result.statement, page.width - 6)),
  ]);
}

/** In a verbose report, what was noted and not judged. */
export function observationLines(results: readonly Result[], page: Page): string[] {
  if (!page.verbose) return [];
  const noted = results.flatMap(({ id, observations }) =>
    observations.map((text) => `${id}: ${text}`),
  );
  return listLines('Observed, not judged', noted, page);
}

/** What stays on the target: all of it after an interruption or in a verbose report, else the beginning. */
export function leftLines({ leftBehind, interrupted }: Report, page: Page): string[] {
  const texts = page.verbose || interrupted ? leftBehind : firstOf(leftBehind, 2);
  return listLines('Left behind on the target', texts, page);
}

function listLines(title: string, texts: readonly string[], { paint, width }: Page): string[] {
  return texts.length === 0 ? [] : [paint('bold', title), ...bullets(texts, width)];
}
