import { clauses } from '../../interface/clauses.ts';
import { mockOrigin } from '../../target/requests/well-known.ts';
import { firstOf, howMany } from '../../text/phrases.ts';
import { groupBy } from '../model/group-by.ts';
import type { ProviderName, Report, Result, Verdict } from '../model/report.ts';
import { groundsOf } from '../run/verdict.ts';

/** The title and meaning of each verdict, and the mark with whose colour and sign it is shown. */
export const verdictWords = {
  conformant: {
    title: 'Conformant',
    mark: 'pass',
    sentence:
      'The target was tested against every binding requirement in scope and conforms to all of them.',
  },
  'conformant-with-deviations': {
    title: 'Conformant',
    mark: 'pass',
    sentence:
      'The target conforms to every binding requirement in scope, apart from those that its owner lists as deviating or inapplicable.',
  },
  nonconformant: {
    title: 'Not conformant',
    mark: 'fail',
    sentence: 'The target does not conform to the interface.',
  },
  incomplete: {
    title: 'Incomplete',
    mark: 'expected',
    sentence: 'The run cannot say yet whether the target conforms to the interface.',
  },
} as const satisfies Record<Verdict, object>;

/**
 * The first line of every report, such as `Conformant in create, record, with 1 exception`: the verdict, the
 * areas or requirements if not all were judged, how many exceptions the owner listed, and whether the run was
 * interrupted.
 */
export function headline(report: Report): string {
  const { verdict, unjudgeable, interrupted } = report;
  if (unjudgeable !== undefined) return 'Cannot be judged';
  const count = groundsOf(report).exceptions.length;
  const hasExceptions = verdict === 'conformant-with-deviations';
  const exceptions = hasExceptions ? `, with ${howMany(count, 'exception')}` : '';
  const end = interrupted ? '; the run was interrupted' : '';
  return verdictWords[verdict].title + scopeOf(report) + exceptions + end;
}

/** How many requirements a headline names; if there are more, it gives their number. */
const maxNames = 7;

function scopeOf({ areas, only }: Report): string {
  if (only === undefined) return areas === undefined ? '' : ` in ${areas.join(', ')}`;
  return ` for ${only.length > maxNames ? `${only.length} requirements` : only.join(', ')}`;
}

/** Where recorded sessions came from, in words. */
const sessionSources = {
  none: 'none',
  given: 'from a given stream',
  control: 'from the control API',
  command: 'from a command',
  manual: 'from a person',
} as const satisfies Record<ProviderName, string>;

/** What was judged, when, and where recorded sessions came from. */
export function runFacts(report: Report): [term: string, text: string][] {
  const { startedAt, duration, provider, readOnly } = report;
  return [
    ['Target', describeTarget(report)],
    ['Started', `${startedAt}, took ${describeDuration(duration)}`],
    ['Sessions', sessionSources[provider] + (readOnly ? ', read only' : '')],
  ];
}

/** What was judged: an address, or the mock itself. */
export function describeTarget({ target }: Report): string {
  return target.startsWith(`${mockOrigin}/`) ? 'the mock itself' : target;
}

/** Milliseconds as `12 ms` or `1.2 s`. */
export function describeDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The ids of the first results, and how many more there are. */
export function firstIds(results: readonly Pick<Result, 'id'>[]): string {
  return firstOf(
    results.map(({ id }) => id),
    6,
  ).join(', ');
}

/**
 * The clauses that results cite, each once and in full, with where to find them in the package. Results cite a
 * clause such as `4.1`, or its rules, such as `4.2 rules 2 and 5`. Unknown clauses are left out.
 */
export function explainClauses(results: readonly Pick<Result, 'clause'>[]): string[] {
  return citedClauses(results).map(({ number, citations, title, text, numberedRules, place }) => {
    const cited = citations.join(' and ');
    return `${cited}, ${title}: ${citations.includes(number) ? text : numberedRules} See ${place}.`;
  });
}

/** The clauses that results cite, each once, with all of its text. Unknown clauses are left out. */
export function citedClauses(results: readonly Pick<Result, 'clause'>[]) {
  const citations = new Set(results.flatMap(({ clause }) => clause.split(', ')));
  return groupBy([...citations], numberOf).flatMap((ofClause) => {
    const number = numberOf(ofClause[0]);
    const clause = Object.hasOwn(clauses, number) ? clauses[number] : undefined;
    if (clause === undefined) return [];
    const { title, text, rules = [] } = clause;
    const numberedRules = rules.map((rule, index) => `(${index + 1}) ${rule}`).join(' ');
    const place = `livestream-mock/docs/interface.md#clause-${number.replace('.', '-')}`;
    return [{ number, citations: ofClause, title, text, numberedRules, place }];
  });
}

/** The number of a cited clause, such as `4.2` of `4.2 rule 1`. */
function numberOf(citation: string): string {
  return citation.replace(/ .*/, '');
}
