import { type Clause, clauses } from '../../../interface/clauses.ts';
import type { Result } from '../../model/report.ts';

/** The page that explains the clauses, in the package. */
export const clausesPage = 'livestream-mock/docs/interface.md';

/** What a requirement cites: a clause, or some rules of one. */
export interface Citation {
  /** Such as `4.2 rules 1 to 3`. */
  readonly cited: string;
  /** What is cited, with the title of the clause. */
  readonly explanation: string;
  /** Where the package has the clause. */
  readonly page: string;
}

/** What results cite, each citation once. A clause that is not in the table is left out. */
export function citationsOf(results: readonly Pick<Result, 'clause'>[]): Citation[] {
  const citations = new Set(results.flatMap(({ clause }) => clause.split(', ')));
  return [...citations].flatMap((cited) => {
    const [, number = '', rules] = /^([\d.]+)(?: rules? ([\d a-z]+))?$/.exec(cited) ?? [];
    const clause = Object.hasOwn(clauses, number) ? clauses[number] : undefined;
    if (clause === undefined) return [];
    const { title, summary, details = '' } = clause;
    const page = `${clausesPage}#clause-${number.replace('.', '-')}`;
    const text = rules === undefined ? `${summary} ${details}`.trim() : quoteRules(clause, rules);
    return [{ cited, explanation: `${cited}, ${title}: ${text}`, page }];
  });
}

/** What results cite, each citation in full and with its page. */
export function explainClauses(results: readonly Pick<Result, 'clause'>[]): string[] {
  return citationsOf(results).map(({ explanation, page }) => `${explanation} See ${page}.`);
}

/** The rules that `1 to 3`, `2 and 5` or `4` names. */
function quoteRules({ rules = [] }: Clause, named: string): string {
  const [first = 0, last = first] = named.match(/\d+/g)?.map(Number) ?? [];
  const isNamed = named.includes('to')
    ? (rule: number) => first <= rule && rule <= last
    : (rule: number) => rule === first || rule === last;
  return rules.filter((_, index) => isNamed(index + 1)).join(' ');
}
