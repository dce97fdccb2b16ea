import { groupBy } from '../../model/group-by.ts';
import type { Outcome, Result } from '../../model/report.ts';
import { type Area, areas } from '../../model/requirement.ts';

/** How a result is shown: as its outcome, but a failure that the owner knows of is `expected`. */
export type Mark = Outcome | 'expected';

/** How each mark looks, in the order in which reports count them; the words fit after any number. */
export const marks: Readonly<Record<Mark, { readonly sign: string; readonly words: string }>> = {
  pass: { sign: '✓', words: 'passed' },
  fail: { sign: '✗', words: 'failed' },
  error: { sign: '!', words: 'in error' },
  expected: { sign: '≠', words: 'known to deviate' },
  blocked: { sign: '?', words: 'blocked' },
  untested: { sign: '○', words: 'untested' },
  inapplicable: { sign: '–', words: 'inapplicable' },
};

/** Every mark. */
export const markNames: readonly Mark[] = Object.keys(marks) as Mark[];

/** The mark of a result. */
export function markOf({ outcome, deviation }: Pick<Result, 'outcome' | 'deviation'>): Mark {
  return outcome === 'fail' && deviation !== undefined ? 'expected' : outcome;
}

/** How many results have a mark. */
export interface MarkCount {
  readonly mark: Mark;
  readonly count: number;
}

/** How many results there are of each mark, without the marks that none has. */
export function countMarks(results: readonly Result[]): MarkCount[] {
  return markNames
    .map((mark) => ({ mark, count: results.filter((result) => markOf(result) === mark).length }))
    .filter(({ count }) => count > 0);
}

/** What is said of a failure that breaks no `must`, and so decides no verdict. */
const onlyRecommended = 'only recommended';

/** The counts in words, such as `3 passed, 2 failed (1 only recommended)`. */
export function describeCounts(results: readonly Result[]): string {
  const advice = results.filter((one) => markOf(one) === 'fail' && one.level !== 'must').length;
  const note = advice === 0 ? '' : ` (${advice} ${onlyRecommended})`;
  const counts = countMarks(results).map(
    ({ mark, count }) => `${count} ${marks[mark].words}${mark === 'fail' ? note : ''}`,
  );
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

/** Results with the same mark and the same message. */
export interface Cause {
  readonly mark: Mark;
  /** Whether one of its requirements is a `must`. */
  readonly binds: boolean;
  /** The mark in words. */
  readonly words: string;
  /** What was expected and what came; of blocked results, what would unblock them. */
  readonly message: string;
  readonly results: readonly [Result, ...Result[]];
}

/** The results with the chosen marks, grouped so that a report shows each cause once, what binds first. */
export function byCause(results: readonly Result[], chosen: readonly Mark[]): Cause[] {
  const groups = groupBy(
    results.filter((result) => chosen.includes(markOf(result))),
    (result) => `${markOf(result)} ${result.message}`,
  );
  return groups.map(toCause).sort((one, other) => Number(other.binds) - Number(one.binds));
}

function toCause(results: Cause['results']): Cause {
  const mark = markOf(results[0]);
  const binds = results.some(({ level }) => level === 'must');
  const { words } = marks[mark];
  return {
    mark,
    binds,
    words: mark === 'fail' && !binds ? `${words}, ${onlyRecommended}` : words,
    message: results[0].message ?? 'No reason was given.',
    results,
  };
}
