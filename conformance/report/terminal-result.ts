import { describeAnswer, excerpt, relevantHeaderLines } from './evidence.ts';
import { type Mark, markOf, markSigns, markWords } from './marks.ts';
import type { Exchange, Result } from './report.ts';
import { hang, indent, type Page, type Style, wrap } from './terminal-text.ts';
import { describeBasis, describeDeviation } from './wording.ts';

const markStyles: Readonly<Record<Mark, Style>> = {
  pass: 'green',
  fail: 'red',
  error: 'red',
  expected: 'yellow',
  blocked: 'yellow',
  untested: 'dim',
  inapplicable: 'dim',
};

const bodySize = { lines: 12, characters: 800 };
const labelWidth = 10;

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
  return [titleLine(result, page), ...indent([...lines, ...evidenceLines(result, page)])];
}

/** The line that a result begins with. */
export function titleLine(result: Result, { paint }: Page): string {
  const mark = markOf(result);
  const name = paint(markStyles[mark], `${markSigns[mark]} ${result.id} ${markWords[mark]}`);
  return `${name}  ${paint('dim', `${result.level}, ${result.clause}`)}`;
}

function evidenceLines({ outcome, evidence }: Result, page: Page): string[] {
  if (outcome !== 'fail' && outcome !== 'error') return [];
  return evidence.flatMap((exchange, index) =>
    exchangeLines(exchange, index === evidence.length - 1, page),
  );
}

/** The exchange that decided stands in full, those before it on two lines. */
function exchangeLines(exchange: Exchange, decided: boolean, { paint, width }: Page): string[] {
  // A line that is to be copied is not broken.
  const sent = hang('Sent', exchange.curl.split('\n'), labelWidth);
  const answer = hang(
    'Received',
    wrap(describeAnswer(exchange), width - labelWidth - 4),
    labelWidth,
  );
  if (!decided) return [...sent, ...answer].map((line) => paint('dim', line));
  const body = exchange.body ? excerpt(exchange.body, bodySize).split('\n') : [];
  const rest = [...relevantHeaderLines(exchange), ...body];
  return [...sent, ...answer, ...indent(rest, labelWidth)];
}
