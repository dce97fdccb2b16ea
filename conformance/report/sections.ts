import { groupBy } from '../model/group-by.ts';
import type { Exchange, Outcome, Report, Result, Verdict } from '../model/report.ts';
import { type Area, areas } from '../model/requirement.ts';
import { withVisibleStrings } from '../model/visible.ts';
import type { Style } from './text.ts';
import {
  areaTitles,
  describeBasis,
  describeDeviation,
  describeDuration,
  explainClauses,
  headline,
  runFacts,
  verdictSentence,
} from './wording.ts';

/** How a result is shown: as its outcome, but a failure that the owner knows of is `expected`. */
export type Mark = Outcome | 'expected';

interface MarkLook {
  readonly sign: string;
  /** What fits after any number. */
  readonly words: string;
  /** On a terminal. */
  readonly colour: Style;
  /** The element of JUnit that says so, which is also how JUnit counts it. */
  readonly junit?: 'failure' | 'error' | 'skipped';
}

/** How each mark looks, in the order in which reports count them. */
export const marks: Readonly<Record<Mark, MarkLook>> = {
  pass: { sign: '✓', words: 'passed', colour: 'green' },
  fail: { sign: '✗', words: 'failed', colour: 'red', junit: 'failure' },
  error: { sign: '!', words: 'in error', colour: 'red', junit: 'error' },
  expected: { sign: '≠', words: 'known to deviate', colour: 'yellow', junit: 'skipped' },
  blocked: { sign: '?', words: 'blocked', colour: 'yellow', junit: 'skipped' },
  untested: { sign: '○', words: 'untested', colour: 'dim', junit: 'skipped' },
  inapplicable: { sign: '–', words: 'inapplicable', colour: 'dim', junit: 'skipped' },
};

/** Every mark. */
export const markNames: readonly Mark[] = Object.keys(marks) as Mark[];

/**
 * What every format shows of a report, in words; a format only lays it out. No string has invisible
 * characters, and none is escaped.
 */
export interface Sections {
  readonly report: Report;
  readonly headline: string;
  /** What looks like the verdict. */
  readonly mark: Mark;
  /** What the verdict means, in a sentence; where the target cannot be judged, why. */
  readonly sentence: string;
  /** Such as `3 passed, 2 failed (1 only recommended)`. */
  readonly counts: string;
  /** What was judged, when, and where recorded sessions came from. */
  readonly facts: readonly Fact[];
  readonly results: readonly ShownResult[];
  /** The areas that have results, in the order of the interface. */
  readonly areas: readonly AreaSection[];
  /** What failed or is in error, what binds first. */
  readonly failed: readonly Cause[];
  /** What is known to deviate. */
  readonly known: readonly Cause[];
  /** What is blocked, by what would unblock it. */
  readonly blocked: readonly Cause[];
}

/** A term, and a sentence about it. */
export type Fact = readonly [term: string, text: string];

/** The results of one area. */
export interface AreaSection {
  readonly area: Area;
  readonly title: string;
  readonly counts: string;
  readonly results: readonly ShownResult[];
}

/** Results with the same mark and the same message, which a report shows once. */
export interface Cause extends MarkLook {
  readonly mark: Mark;
  /** Whether one of its requirements is a `must`. */
  readonly binds: boolean;
  /** What was expected and what came; of blocked results, what would unblock them. */
  readonly message: string;
  readonly results: readonly [ShownResult, ...ShownResult[]];
  /** The clauses that failures break, each in full. */
  readonly clauses: readonly string[];
  /** The evidence of the first result. */
  readonly exchanges: readonly ShownExchange[];
}

/** A result in words. */
export interface ShownResult extends Result, MarkLook {
  readonly mark: Mark;
  readonly message: string;
  /** Such as `RECORD-1 (must, 4.2): Recording is turned on.` */
  readonly line: string;
  /** Why the requirement holds. */
  readonly why: string;
  /** What the owner's list of deviations says about it. */
  readonly known: string | undefined;
  /** What was found, why the requirement holds, its clauses, the owner's deviation, what was observed. */
  readonly facts: readonly Fact[];
  readonly exchanges: readonly ShownExchange[];
}

/** One request and its response; of several, the first decided. */
export interface ShownExchange {
  readonly title: 'Sent' | 'Decided by' | 'Also sent';
  /** The request as a line for a shell. */
  readonly curl: string;
  /** What came, such as `404 in 12 ms`. */
  readonly response: string;
  /** The response's headers, a line each. */
  readonly headers: readonly string[];
  /** Those that a short report shows; the others seldom explain a failure. */
  readonly mainHeaders: readonly string[];
  readonly body: string;
}

const verdictMarks = {
  conformant: 'pass',
  'conformant-with-deviations': 'pass',
  nonconformant: 'fail',
  incomplete: 'expected',
} as const satisfies Record<Verdict, Mark>;

/** The sections of a report. */
export function sectionsOf(report: Report): Sections {
  const visibleReport = withVisibleStrings(report);
  const results = visibleReport.results.map(showResult);
  return {
    report: visibleReport,
    headline: headline(visibleReport),
    mark: verdictMarks[visibleReport.verdict],
    sentence: verdictSentence(visibleReport),
    counts: describeCounts(results),
    facts: runFacts(visibleReport),
    results,
    areas: areas.flatMap((area) => areaSection(area, results)),
    failed: causesOf(results, ['fail', 'error']),
    known: causesOf(results, ['expected']),
    blocked: causesOf(results, ['blocked']),
  };
}

/** The sections for a page, which where the target cannot be judged has only the sentence that says why. */
export function pageSections(report: Report): Sections {
  const { unjudgeable } = report;
  return sectionsOf(unjudgeable === undefined ? report : { ...report, results: [], reasons: [] });
}

function areaSection(area: Area, all: readonly ShownResult[]): AreaSection[] {
  const results = all.filter((result) => result.area === area);
  if (results.length === 0) return [];
  return [{ area, title: areaTitles[area], counts: describeCounts(results), results }];
}

function causesOf(results: readonly ShownResult[], chosen: readonly Mark[]): Cause[] {
  const groups = groupBy(
    results.filter(({ mark }) => chosen.includes(mark)),
    ({ mark, message }) => `${mark} ${message}`,
  );
  return groups.map(toCause).sort((one, other) => Number(other.binds) - Number(one.binds));
}

function toCause(results: Cause['results']): Cause {
  const { mark, words, message, exchanges } = results[0];
  const binds = results.some(({ level }) => level === 'must');
  return {
    ...marks[mark],
    mark,
    words: mark === 'fail' && !binds ? `${words}, ${onlyRecommended}` : words,
    binds,
    message,
    results,
    clauses: mark === 'error' ? [] : explainClauses(results),
    exchanges,
  };
}

/** What is said of a failure that breaks no `must`, and so decides no verdict. */
const onlyRecommended = 'only recommended';

function showResult(result: Result): ShownResult {
  const { id, level, clause, statement, outcome, deviation, message, evidence } = result;
  const mark = outcome === 'fail' && deviation !== undefined ? 'expected' : outcome;
  const why = describeBasis(result);
  const known = describeDeviation(result);
  return {
    ...result,
    ...marks[mark],
    mark,
    message: message ?? 'No reason was given.',
    line: `${id} (${level}, ${clause}): ${statement}`,
    why,
    known,
    facts: [
      ...facts('Found', [message]),
      ...facts('Why', [why]),
      ...facts('Clause', explainClauses([result])),
      ...facts('Deviation', [known]),
      ...facts('Observed', result.observations),
    ],
    exchanges: evidence.map(showExchange),
  };
}

function facts(term: string, texts: readonly (string | undefined)[]): Fact[] {
  return texts.flatMap((text) => (text === undefined ? [] : [[term, text]]));
}

const mainHeader =
  /^(accept-ranges|allow|content-(length|range|type)|location|retry-after|www-authenticate):/;

function showExchange(exchange: Exchange, index: number, all: readonly Exchange[]): ShownExchange {
  const lines = Object.entries(exchange.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const order = index === 0 ? 'Decided by' : 'Also sent';
  return {
    title: all.length === 1 ? 'Sent' : order,
    curl: exchange.curl,
    response: describeResponse(exchange),
    headers: lines,
    mainHeaders: lines.filter((line) => mainHeader.test(line)),
    body: exchange.body ?? '',
  };
}

function describeResponse({ status, failure, duration }: Exchange): string {
  const time = `in ${describeDuration(duration)}`;
  if (status === undefined) return `no response ${time}: ${failure ?? 'the reason is not known'}`;
  return failure === undefined ? `${status} ${time}` : `${status} ${time}, then ${failure}`;
}

/** How many results there are of each mark, without the marks that none has. */
export function countMarks(results: readonly ShownResult[]): { mark: Mark; count: number }[] {
  return markNames
    .map((mark) => ({ mark, count: results.filter((result) => result.mark === mark).length }))
    .filter(({ count }) => count > 0);
}

function describeCounts(results: readonly ShownResult[]): string {
  const advice = results.filter(({ mark, level }) => mark === 'fail' && level !== 'must').length;
  const note = advice === 0 ? '' : ` (${advice} ${onlyRecommended})`;
  const counts = countMarks(results).map(
    ({ mark, count }) => `${count} ${marks[mark].words}${mark === 'fail' ? note : ''}`,
  );
  return counts.length === 0 ? 'nothing was tested' : counts.join(', ');
}

/** The beginning of a text; where it is cut, a last line says how much is left out. */
export function excerpt(text: string, most: { lines: number; characters: number }): string {
  const start = text.split('\n').slice(0, most.lines).join('\n').slice(0, most.characters);
  // A cut must not leave half of a surrogate pair.
  const shown = start.isWellFormed() ? start : start.slice(0, -1);
  const rest = text.length - shown.length;
  return rest === 0 ? text : `${shown}\n… ${rest} more characters`;
}
