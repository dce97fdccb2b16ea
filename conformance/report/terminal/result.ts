import { groupBy } from '../../model/group-by.ts';
import type { Exchange, Result } from '../../model/report.ts';
import {
  describeAnswer,
  type ExcerptSize,
  evidenceTitle,
  excerpt,
  relevantHeaderLines,
} from '../text/evidence.ts';
import { type Cause, type Mark, markOf, markSigns, markWords } from '../text/marks.ts';
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

/** The longest title of an exchange, and a space behind it. */
const labelWidth = 11;

/** The identifiers of what passed, as few lines as they fit on. */
export function passLines(ids: readonly string[], { paint, width }: Page): string[] {
  const lines = wrap(ids.join(' '), width - 4);
  return indent(
    lines.map((line, index) => `${index === 0 ? paint('green', markSigns.pass) : ' '} ${line}`),
  );
}

/** One result in full: the rule, what was found, why the rule holds, and the evidence. */
export function resultLines(result: Result, page: Page): string[] {
  const facts: [string, string | undefined][] = [
    ['Rule', result.statement],
    ['Found', result.message],
    ['Why', result.outcome === 'fail' ? describeBasis(result) : undefined],
    ['Known', describeDeviation(result)],
  ];
  const lines = facts.flatMap(([label, text]) =>
    text === undefined ? [] : hang(label, wrap(text, page.width - labelWidth - 4), labelWidth),
  );
  const evidence = result.outcome === 'fail' ? evidenceLines(result, page) : [];
  return [titleLine(result, page), ...indent([...lines, ...evidence])];
}

/** The line that a result begins with. */
export function titleLine(result: Result, { paint }: Page): string {
  const mark = markOf(result);
  const name = paint(markStyles[mark], `${markSigns[mark]} ${result.id} ${markWords[mark]}`);
  return `${name}  ${paint('dim', `${result.level}, ${result.clause}`)}`;
}

/** What failed by one cause: the message once, what it breaks, and the evidence of the first. */
export function causeLines({ mark, message, results }: Cause, page: Page): string[] {
  const { paint, width } = page;
  const shown = page.verbose ? results.length : 3;
  const title = hang(markSigns[mark], wrap(`${markWords[mark]}: ${message}`, width - 2), 2);
  const rest = groupBy(results.slice(shown), ({ level }) => level);
  const lines = [
    ...results.slice(0, shown).flatMap((result) => requirementLines(result, page)),
    ...rest.flatMap((alike) => otherLines(alike, page)),
    ...evidenceLines(results[0], page),
  ];
  return [...title.map((line) => paint(markStyles[mark], line)), ...indent(lines)];
}

function otherLines(results: readonly [Result, ...Result[]], { width }: Page): string[] {
  const ids = results.map(({ id }) => id).join(', ');
  return wrap(`and ${ids} (${results[0].level})`, width - 2);
}

function requirementLines(result: Result, { width, verbose }: Page): string[] {
  const why = verbose && result.outcome === 'fail' ? ` ${describeBasis(result)}` : '';
  const [first = '', ...others] = wrap(describeRequirement(result) + why, width - 4);
  return [first, ...indent(others)];
}

/**
 * Where all is shown, the exchange that decided in full and the others in short; or else the first, and
 * where that has no body to show, the second.
 */
function evidenceLines({ evidence }: Result, page: Page): string[] {
  const brief = evidence[0]?.body ? 1 : 2;
  if (!page.verbose) {
    return evidence.slice(0, brief).flatMap((exchange) => briefLines(exchange, page));
  }
  return evidence.flatMap((exchange, index) => {
    const lines = exchangeLines(exchange, evidenceTitle(index, evidence.length), page);
    if (index > 0) return lines.map((line) => page.paint('dim', line));
    const body = excerptLines(exchange, { lines: 12, characters: 800 });
    return [...lines, ...indent([...relevantHeaderLines(exchange), ...body], labelWidth)];
  });
}

/** What was sent, and behind the status the beginning of the body. */
function briefLines(exchange: Exchange, page: Page): string[] {
  const lines = exchangeLines(exchange, evidenceTitle(0, 1), page);
  const [first, ...others] = excerptLines(exchange, { lines: 3, characters: 240 });
  if (first === undefined) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1)}: ${first}`, ...indent(others, labelWidth)];
}

function exchangeLines(exchange: Exchange, title: string, { width }: Page): string[] {
  const response = wrap(describeAnswer(exchange), width - labelWidth - 4);
  // A line that is to be copied is not broken.
  return [
    ...hang(title, exchange.curl.split('\n'), labelWidth),
    ...hang('Received', response, labelWidth),
  ];
}

function excerptLines({ body }: Exchange, size: ExcerptSize): string[] {
  return body ? excerpt(body, size).split('\n') : [];
}
