import type { Evidence } from '../../target/requests/evidence.ts';
import type { Style } from '../../text/lines.ts';
import { howMany } from '../../text/phrases.ts';
import { withVisibleStrings } from '../../text/visible.ts';
import { groupBy } from '../model/group-by.ts';
import { isViolation, type Outcome, type Report, type Result } from '../model/report.ts';
import { type Area, areas } from '../model/requirement-facts.ts';
import { groundsOf } from '../run/verdict.ts';
import {
  citedClauses,
  describeDuration,
  explainClauses,
  headline,
  runFacts,
  verdictWords,
} from './wording.ts';

/** How a result is shown: as its outcome, except that a violation that the owner knows about is `expected`. */
export type Mark = Outcome | 'expected';

/**
 * How each mark looks, in the order in which reports count them. Its words fit after any number, unless there is a
 * plural, and its colour is for a terminal.
 */
export const marks = {
  pass: { sign: '✓', words: 'passed', colour: 'green' },
  fail: { sign: '✗', words: 'failed', colour: 'red' },
  error: { sign: '!', words: 'in error', colour: 'red' },
  unmet: {
    sign: '△',
    words: 'recommendation not met',
    plural: 'recommendations not met',
    colour: 'yellow',
  },
  expected: { sign: '≠', words: 'known to deviate', colour: 'yellow' },
  blocked: { sign: '?', words: 'blocked', colour: 'yellow' },
  untested: { sign: '○', words: 'untested', colour: 'dim' },
  inapplicable: { sign: '–', words: 'inapplicable', colour: 'dim' },
  noted: { sign: '·', words: 'noted but not judged', colour: 'dim' },
  untestable: { sign: '∅', words: 'not testable by any request', colour: 'dim' },
} as const satisfies Record<Mark, MarkLook>;

interface MarkLook {
  readonly sign: string;
  readonly words: string;
  readonly plural?: string;
  readonly colour: Style;
}

export const markNames: readonly Mark[] = Object.keys(marks) as Mark[];

/** Headings of the areas. */
const areaTitles: Readonly<Record<Area, string>> = {
  create: 'Create a stream',
  record: 'Turn recording on or off',
  inheritance: 'What sessions inherit',
  list: 'List recorded sessions',
  authentication: 'Authentication',
  media: 'Recordings',
  observe: 'Where the interface is silent',
};

/** What every format shows of a report. */
export type Sections = ReturnType<typeof sectionsOf>;

/** The results of one area. */
export type AreaSection = Sections['areas'][number];

/** Results with the same mark and message, which a report shows once. */
export type Cause = ReturnType<typeof toCause>;

/** A result in words. */
export type WordedResult = ReturnType<typeof wordResult>;

/** One request and its response. If there are several, the first was decisive. */
export type WordedExchange = ReturnType<typeof wordExchange>;

/** A term, and a sentence about it. */
export type ReportFact = readonly [term: string, text: string];

/**
 * What every format shows of a report, in words; a format only lays it out. Strings have no invisible
 * characters, and are not escaped. If the target cannot be judged, a sentence says why, and there are no results.
 */
export function sectionsOf(rawReport: Report) {
  const visibleReport = withVisibleStrings(rawReport);
  const { unjudgeable } = visibleReport;
  const report =
    unjudgeable === undefined ? visibleReport : { ...visibleReport, results: [], reasons: [] };
  const results = report.results.map(wordResult);
  return {
    report,
    headline: headline(report),
    /** The mark with whose colour and sign the verdict is shown. */
    mark: verdictWords[report.verdict].mark,
    sentence: unjudgeable ?? verdictWords[report.verdict].sentence,
    counts: describeCounts(results),
    /** What was judged, when, and where recorded sessions came from. */
    facts: runFacts(report),
    results,
    /** Reasons for the verdict that no result shows. */
    remarks: unjudgeable === undefined ? groundsOf(report).remarks : [],
    /** Every clause that a result cites, each once, in the order of the interface. */
    citedClauses: citedClauses(results).sort((left, right) =>
      left.number.localeCompare(right.number, 'en', { numeric: true }),
    ),
    /** The areas that have results, in the order of the interface. */
    areas: areas
      .map((area) => {
        const areaResults = results.filter((result) => result.area === area);
        return {
          area,
          title: areaTitles[area],
          counts: describeCounts(areaResults),
          results: areaResults,
        };
      })
      .filter((section) => section.results.length > 0),
    /** What failed or is in error, binding requirements first. */
    failed: causesOf(results, ['fail', 'error']),
    /** What a recommendation says otherwise. The target conforms all the same. */
    unmet: causesOf(results, ['unmet']),
    /** What is known to deviate. */
    known: causesOf(results, ['expected']),
    /** What is blocked, grouped by what would unblock it. */
    blocked: causesOf(results, ['blocked']),
  };
}

function causesOf(results: readonly WordedResult[], chosenMarks: readonly Mark[]): Cause[] {
  const groups = groupBy(
    results.filter(({ mark }) => chosenMarks.includes(mark)),
    ({ mark, message }) => `${mark} ${message}`,
  );
  return groups.map(toCause).sort((left, right) => Number(right.binds) - Number(left.binds));
}

function toCause(results: [WordedResult, ...WordedResult[]]) {
  const { mark, sign, colour, words, message, exchanges } = results[0];
  const binds = results.some(({ level }) => level === 'must');
  return {
    mark,
    sign,
    colour,
    words,
    /** Whether one of its requirements is a `must`. */
    binds,
    /** What was expected and what was received; for blocked results, what would unblock them. */
    message,
    results,
    /** The clauses that the target violates, each in full. */
    clauses: mark === 'error' ? [] : explainClauses(results),
    /** The evidence of the first result. */
    exchanges,
  };
}

function wordResult(result: Result) {
  const { id, level, clause, statement, outcome, deviation, message } = result;
  const mark: Mark = isViolation(result) && deviation !== undefined ? 'expected' : outcome;
  const why = describeBasis(result);
  const known = describeDeviation(result);
  return {
    ...result,
    ...marks[mark],
    mark,
    message: message ?? 'No reason was given.',
    /** Such as `RECORD-1 (must, 4.2): Recording is turned on.` */
    line: `${id} (${level}, ${clause}): ${statement}`,
    /** Why the requirement holds. */
    why,
    /** What the owner's list of deviations says about it. */
    known,
    /** What was found, why the requirement holds, its clauses, the owner's deviation, what was observed. */
    facts: [
      ...facts('Found', message),
      ...facts('Why', why),
      ...facts('Clause', ...explainClauses([result])),
      ...facts('Deviation', known),
      ...facts('Observed', ...result.observations),
    ],
    exchanges: result.evidence.map(wordExchange),
  };
}

/** Why a requirement holds. */
function describeBasis({ basis, clause }: Pick<Result, 'basis' | 'clause'>): string {
  return basis.kind === 'stated'
    ? `Stated in ${clause}.`
    : `Follows from ${clause}: ${basis.because}`;
}

/** What the owner's list of deviations says about a result; `undefined` if it says nothing. */
function describeDeviation({ deviation }: Result): string | undefined {
  if (deviation === undefined) return undefined;
  const until = deviation.expires === undefined ? '' : ` until ${deviation.expires}`;
  return `Known deviation, accepted${until}: ${deviation.reason}`;
}

function facts(term: string, ...texts: readonly (string | undefined)[]): ReportFact[] {
  return texts.flatMap((text) => (text === undefined ? [] : [[term, text]]));
}

function wordExchange(exchange: Evidence, index: number, exchanges: readonly Evidence[]) {
  const { curl, status, failure, body = '' } = exchange;
  const headers = Object.entries(exchange.headers ?? {}).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const time = `in ${describeDuration(exchange.duration)}`;
  const end = failure === undefined ? '' : `, then ${failure}`;
  const order = index === 0 ? 'Decided by' : 'Also sent';
  return {
    title: exchanges.length === 1 ? 'Sent' : order,
    /** The request as a line for a shell. */
    curl,
    /** What was received, such as `404 in 12 ms`. */
    response:
      status === undefined
        ? `no response ${time}: ${failure ?? 'the reason is not known'}`
        : `${status} ${time}${end}`,
    /** The response's headers, one on each line. */
    headers,
    body,
  };
}

/** How many results have each mark, without those that no result has. */
function describeCounts(results: readonly WordedResult[]): string {
  const counts = markNames.flatMap((name) => {
    const count = results.filter(({ mark }) => mark === name).length;
    const { words, plural = words }: MarkLook = marks[name];
    return count > 0 ? [howMany(count, words, plural)] : [];
  });
  return counts.join(', ') || 'nothing was tested';
}

/** The beginning of a text. If it is cut, a last line says how much is left out. */
export function excerpt(text: string, max: { lines: number; characters: number }): string {
  const start = text.split('\n').slice(0, max.lines).join('\n').slice(0, max.characters);
  // A cut may split a surrogate pair.
  const beginning = start.toWellFormed();
  const omitted = text.length - beginning.length;
  return omitted === 0 ? text : `${beginning}\n… ${omitted} more characters`;
}
