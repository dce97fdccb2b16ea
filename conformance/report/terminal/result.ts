import { groupBy } from '../../model/group-by.ts';
import type { Exchange, Result } from '../../model/report.ts';
import {
  describeResponse,
  type ExcerptSize,
  evidenceTitle,
  excerpt,
  relevantHeaderLines,
} from '../text/evidence.ts';
import { type Cause, type Mark, markOf, marks } from '../text/marks.ts';
import { describeBasis, describeDeviation, describeRequirement } from '../text/wording.ts';
import { hang, indent, type Page, type Style, wrap } from './text.ts';

const markStyles: Readonly<Record<Mark, Style>> = {
  pass: 'green',
  fail: 'red',
  error: 'red',
  expected: 'yellow',
  blocked: 'yellow',
  untested: 'dim',
  inapplicable: 'dim',
};

/** The longest label, and a space behind it. */
const labelWidth = 11;

/** One result in full: the rule, what was found, why the rule holds, and the evidence. */
export function resultLines(result: Result, page: Page): string[] {
  const failed = result.outcome === 'fail';
  return [
    titleLine(result, page),
    ...indent([
      ...labelled('Rule', [result.statement], page),
      ...labelled('Found', [result.message], page),
      ...(failed ? labelled('Why', [describeBasis(result)], page) : []),
      ...labelled('Known', [describeDeviation(result)], page),
      ...(failed ? evidenceLines(result, page) : []),
    ]),
  ];
}

function labelled(label: string, texts: readonly (string | undefined)[], page: Page): string[] {
  return texts
    .filter((text) => text !== undefined)
    .flatMap((text) => hang(label, wrap(text, page.width - labelWidth - 4), labelWidth));
}

/** The line that a result begins with. */
export function titleLine(result: Result, { paint }: Page): string {
  const mark = markOf(result);
  const { sign, words } = marks[mark];
  const name = paint(markStyles[mark], `${sign} ${result.id} ${words}`);
  return `${name}  ${paint('dim', `${result.level}, ${result.clause}`)}`;
}

/** One cause: its message, the requirements that it breaks, and the first one's evidence. */
export function causeLines({ mark, binds, words, message, results }: Cause, page: Page): string[] {
  const { paint, width } = page;
  const style = binds ? markStyles[mark] : 'yellow';
  const shown = page.verbose ? results : results.slice(0, 3);
  const others = groupBy(results.slice(shown.length), ({ level }) => level);
  const title = hang(marks[mark].sign, wrap(`${words}: ${message}`, width - 2), 2);
  const lines = [
    ...shown.flatMap((result) => requirementLines(result, page)),
    ...others.flatMap((alike) => idLines(alike, page)),
    ...evidenceLines(results[0], page),
  ];
  return [...title.map((line) => paint(style, line)), ...indent(lines)];
}

function idLines(results: readonly [Result, ...Result[]], { width }: Page): string[] {
  const ids = results.map(({ id }) => id).join(', ');
  return wrap(`and ${ids} (${results[0].level})`, width - 2);
}

function requirementLines(result: Result, page: Page): string[] {
  const { outcome, basis } = result;
  const [first = '', ...others] = wrap(describeRequirement(result), page.width - 4);
  const isExplained = outcome === 'fail' && (page.verbose || basis.kind === 'derived');
  const why = isExplained ? wrap(`Why: ${describeBasis(result)}`, page.width - 4) : [];
  return [first, ...indent([...others, ...why])];
}

/**
 * Verbose: the exchange that decided in full, the others in short. Otherwise the first in short, and
 * the second as well where the first has no body to show.
 */
function evidenceLines({ evidence }: Result, page: Page): string[] {
  if (!page.verbose) {
    const shown = evidence.slice(0, evidence[0]?.body ? 1 : 2);
    return shown.flatMap((exchange) => briefLines(exchange, page));
  }
  return evidence.flatMap((exchange, index) => {
    const lines = exchangeLines(exchange, evidenceTitle(index, evidence.length), page);
    if (index > 0) return lines.map((line) => page.paint('dim', line));
    const body = excerptLines(exchange, { lines: 12, characters: 800 });
    return [...lines, ...indent([...relevantHeaderLines(exchange), ...body], labelWidth)];
  });
}

/** What was sent, and after the status the beginning of the body. */
function briefLines(exchange: Exchange, page: Page): string[] {
  const lines = exchangeLines(exchange, evidenceTitle(0, 1), page);
  const [first, ...others] = excerptLines(exchange, { lines: 3, characters: 240 });
  if (first === undefined) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1)}: ${first}`, ...indent(others, labelWidth)];
}

function exchangeLines(exchange: Exchange, title: string, page: Page): string[] {
  // The curl line is for copying, so it is not broken.
  const sent = hang(title, exchange.curl.split('\n'), labelWidth);
  return [...sent, ...labelled('Received', [describeResponse(exchange)], page)];
}

function excerptLines({ body }: Exchange, size: ExcerptSize): string[] {
  return body ? excerpt(body, size).split('\n') : [];
}
