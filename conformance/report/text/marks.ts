import { groupBy } from '../../model/group-by.ts';
import type { Result } from '../../model/report.ts';
import { type Area, areas } from '../../model/requirement.ts';

/** How a result is shown: its outcome, but a failure that the owner knows of is `expected`. */
export const marks = [
  'pass',
  'fail',
  'error',
  'expected',
  'blocked',
  'untested',
  'inapplicable',
] as const;

/** How a result is shown. */
export type Mark = (typeof marks)[number];

/** Marks in words that fit behind any number. */
export const markWords: Readonly<Record<Mark, string>> = {
  pass: 'passed',
  fail: 'failed',
  error: 'in error',
  expected: 'known to deviate',
  blocked: 'blocked',
  untested: 'untested',
  inapplicable: 'inapplicable',
};

/** A sign for each mark, beside its words. */
export const markSigns: Readonly<Record<Mark, string>> = {
  pass: '✓',
  fail: '✗',
  error: '!',
  expected: '≠',
  blocked: '?',
  untested: '○',
  inapplicable: '–',
};

/** How to show a result. */
export function markOf({ outcome, deviation }: Pick<Result, 'outcome' | 'deviation'>): Mark {
  return outcome === 'fail' && deviation !== undefined ? 'expected' : outcome;
}

/** A number of results that are shown alike. */
export interface MarkCount {
  readonly mark: Mark;
  readonly count: number;
}

/** How many results there are of each mark, without the marks that none has. */
export function countMarks(results: readonly Result[]): MarkCount[] {
  return marks
    .map((mark) => ({ mark, count: results.filter((result) => markOf(result) === mark).length }))
    .filter(({ count }) => count > 0);
}

/** The same in words, such as `3 passed, 1 failed`. */
export function describeCounts(results: readonly Result[]): string {
  const counts = countMarks(results).map(({ mark, count }) => `${count} ${markWords[mark]}`);
  return counts.length === 0 ? 'nothing was tested' : counts.join(', ');
}

/** The results of one area. */
export interface AreaResults {
  readonly area: Area;
  readonly results: readonly Result[];
}

/** Results by area, in the order of the interface, without the areas that have none. */
export function byArea(results: readonly Result[]): AreaResults[] {
  return areas
    .map((area) => ({ area, results: results.filter((result) => result.area === area) }))
    .filter((group) => group.results.length > 0);
}

/** Results that ended alike, with one message. */
export interface Cause {
  readonly mark: Mark;
  /** What was expected and what came; of blocked results, what would unblock them. */
  readonly message: string;
  readonly results: readonly [Result, ...Result[]];
}

/** The results of some marks by their message, so that one cause stands in a report once. */
export function byCause(results: readonly Result[], chosen: readonly Mark[]): Cause[] {
  const groups = groupBy(
    results.filter((result) => chosen.includes(markOf(result))),
    (result) => `${markOf(result)} ${result.message}`,
  );
  return groups.map((group) => {
    const [first] = group;
    return {
      mark: markOf(first),
      message: first.message ?? 'No reason was given.',
      results: group,
    };
  });
}
