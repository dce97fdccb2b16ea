import type { Style } from '../../text/lines.ts';
import { howMany } from '../../text/phrases.ts';
import { groupBy } from '../model/group-by.ts';
import type { Outcome } from '../model/report.ts';
import { citedClauses, explainClauses } from './wording.ts';

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

/** How a mark looks. */
export interface MarkLook {
  readonly sign: string;
  readonly words: string;
  readonly plural?: string;
  readonly colour: Style;
}

export const markNames: readonly Mark[] = Object.keys(marks) as Mark[];

/** A term, and a sentence about it. */
export type ReportFact = readonly [term: string, text: string];

/**
 * What every format shows of a report, in words; a format only lays it out. Strings have no invisible characters, and
 * are not escaped.
 */
export interface Sections {
  /** What the report is about: the suite's verdict on a service, or how an app did. */
  readonly category: 'conformance' | 'client';
  /** The version of the package. */
  readonly version: string;
  /** What was judged. */
  readonly subject: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly exitStatus: 0 | 1 | 2 | 4;
  /** The first line on a terminal: what ran, and for how long. */
  readonly opening: string;
  readonly headline: string;
  /** The mark with whose colour and sign the verdict is shown. */
  readonly mark: 'pass' | 'fail' | 'expected';
  /** What the headline means. If nothing could be judged, it says why, and there are no results. */
  readonly sentence: string;
  readonly isUnjudgeable: boolean;
  readonly counts: string;
  /** What was judged, when, and how. */
  readonly facts: readonly ReportFact[];
  /** Every reason for the verdict. */
  readonly reasons: readonly string[];
  /** Reasons for the verdict that no result shows. */
  readonly remarks: readonly string[];
  /** Reasons for the verdict that a terminal does not show above it. */
  readonly closing: readonly string[];
  readonly results: readonly WordedResult[];
  /** Every clause that a result cites, each once, in the order of the interface. */
  readonly citedClauses: ReturnType<typeof citedClauses>;
  /** The areas that have results. */
  readonly areas: readonly AreaSection[];
  /** What failed or is in error, binding results first. */
  readonly failed: CauseList;
  /** What a recommendation says otherwise. The verdict is the same. */
  readonly unmet: CauseList;
  /** What is known to fail. */
  readonly known: CauseList;
  /** What was not tested, grouped by what would let it be tested. */
  readonly blocked: CauseList;
  /** What else there is to say. */
  readonly notes: readonly NoteList[];
}

/** The results of one area. */
export interface AreaSection {
  readonly area: string;
  readonly title: string;
  readonly counts: string;
  readonly results: readonly WordedResult[];
}

/** Causes below one heading. */
export interface CauseList {
  readonly title: string;
  /** What the results are, in one word before their ids; only for what was not tested. */
  readonly word?: string;
  readonly causes: readonly Cause[];
}

/** Sentences below one heading. */
export interface NoteList {
  readonly id: string;
  readonly title: string;
  /** What follows the number of the sentences in a report of one line. */
  readonly words: string;
  readonly texts: readonly string[];
  /** How many a terminal shows, and how to see the others; absent if it shows all. */
  readonly most?: { readonly number: number; readonly hint: string };
}

/** Results with the same mark and message, which a report shows once. */
export type Cause = ReturnType<typeof toCause>;

/** A result in words. */
export interface WordedResult extends Omit<MarkLook, 'plural'> {
  readonly id: string;
  readonly area: string;
  /** What binds it, or what kind it is, in one word: `must`. */
  readonly level: string;
  /** Whether the verdict depends on it. */
  readonly binds: boolean;
  readonly clause: string;
  readonly statement: string;
  readonly mark: Mark;
  /** Why it is not a pass. */
  readonly message: string;
  /** Such as `RECORD-1 (must, 4.2): Recording is turned on.` */
  readonly line: string;
  /** Why it holds, if the clause does not simply say it. */
  readonly derivation: string | undefined;
  /** What the owner says about it in a list of what is known. */
  readonly known: string | undefined;
  /** What was noted about it, never judged. */
  readonly observations: readonly string[];
  /** What was found, why the result counts, its clauses, what is known, what was observed. */
  readonly facts: readonly ReportFact[];
  readonly exchanges: readonly WordedExchange[];
  /** Milliseconds. */
  readonly duration: number;
}

/** What was run or sent, and what came of it. If there are several, the first was decisive. */
export interface WordedExchange {
  readonly title: string;
  /** A line for a shell. */
  readonly command: string;
  /** What came of it, such as `404 in 12 ms`. */
  readonly response: string;
  /** Stands before what came of it, in one word. */
  readonly responseTitle: string;
  /** The response's headers, one on each line. */
  readonly headers: readonly string[];
  /** The element of a list in the body that decides, with its index. */
  readonly element?: string;
  readonly body: string;
  /** Which part of the body is shown if there is no room for all of it. */
  readonly telling: 'beginning' | 'end';
}

/** Facts with one term, without those that are unknown. */
export function facts(term: string, ...texts: readonly (string | undefined)[]): ReportFact[] {
  return texts.flatMap((text) => (text === undefined ? [] : [[term, text]]));
}

/** Groups results with these marks by their mark and message, binding results first. */
export function causesOf(
  results: readonly WordedResult[],
  chosenMarks: readonly Mark[],
): readonly Cause[] {
  const groups = groupBy(
    results.filter(({ mark }) => chosenMarks.includes(mark)),
    ({ mark, message }) => `${mark} ${message}`,
  );
  return groups.map(toCause).sort((left, right) => Number(right.binds) - Number(left.binds));
}

function toCause(results: [WordedResult, ...WordedResult[]]) {
  const { mark, sign, colour, words, message, exchanges } = results[0];
  return {
    mark,
    sign,
    colour,
    words,
    /** Whether the verdict depends on one of its results. */
    binds: results.some(({ binds }) => binds),
    /** What was expected and what was received; for what was not tested, what would let it be tested. */
    message,
    results,
    /** The clauses that the results cite, each in full. */
    clauses: mark === 'error' ? [] : explainClauses(results),
    /** The evidence of the first result. */
    exchanges,
  };
}

/** The results by area, in the order of the titles, without areas that have none. */
export function areasOf(
  results: readonly WordedResult[],
  titles: Readonly<Record<string, string>>,
  looks: Readonly<Partial<Record<Mark, MarkLook>>>,
): AreaSection[] {
  return Object.entries(titles)
    .map(([area, title]) => {
      const areaResults = results.filter((result) => result.area === area);
      return { area, title, counts: describeCounts(areaResults, looks), results: areaResults };
    })
    .filter((section) => section.results.length > 0);
}

/** Every clause that a result cites, each once, in the order of the interface. */
export function clausesInOrder(results: readonly WordedResult[]): Sections['citedClauses'] {
  return citedClauses(results).sort((left, right) =>
    left.number.localeCompare(right.number, 'en', { numeric: true }),
  );
}

/** How many results have each mark, without those that no result has. */
export function describeCounts(
  results: readonly WordedResult[],
  looks: Readonly<Partial<Record<Mark, MarkLook>>>,
): string {
  const counts = markNames.flatMap((name) => {
    const count = results.filter(({ mark }) => mark === name).length;
    const { words, plural = words }: MarkLook = looks[name] ?? marks[name];
    return count > 0 ? [howMany(count, words, plural)] : [];
  });
  return counts.join(', ') || 'nothing was tested';
}

/** The exchanges that a short report shows: the first, and the second too if the first has no body. */
export function decisiveExchanges(exchanges: readonly WordedExchange[]): readonly WordedExchange[] {
  return exchanges.slice(0, exchanges[0]?.body ? 1 : 2);
}

/** What is left out must be longer than this, or the line that says how much is left out would take as much room. */
const oneLine = 80;

/** The beginning or the end of a text. If it is cut, a line says how much is left out. */
export function excerpt(
  text: string,
  max: { readonly lines: number; readonly characters: number },
  telling: WordedExchange['telling'] = 'beginning',
): string {
  const lines = text.split('\n');
  const isEnd = telling === 'end';
  const chosen = (isEnd ? lines.slice(-max.lines) : lines.slice(0, max.lines)).join('\n');
  const cut = isEnd ? chosen.slice(-max.characters) : chosen.slice(0, max.characters);
  // A cut may split a surrogate pair.
  const shown = cut.toWellFormed();
  const omitted = isEnd ? text.slice(0, -shown.length) : text.slice(shown.length);
  if (omitted.length <= oneLine && /^\n?.*\n?$/.test(omitted)) return text;
  const notice = `… ${omitted.length} more characters`;
  return isEnd ? `${notice}\n${shown}` : `${shown}\n${notice}`;
}
