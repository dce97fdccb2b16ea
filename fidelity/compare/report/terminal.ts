import { withVisibleStrings } from '../../../conformance/model/visible.ts';
import {
  bullets,
  hang,
  indent,
  type Paint,
  painter,
  withoutCommands,
  wrap,
} from '../../../conformance/report/terminal/text.ts';
import type { Comparison, FoundDifference, TranscriptStep } from '../search/comparison.ts';
import { requestLine, responseLines } from './transcript.ts';
import {
  coverageLines,
  describeDifference,
  entryOf,
  lineOf,
  repeatOptions,
  verdictSentence,
} from './wording.ts';

/** How a comparison is shown on a terminal. */
interface Look {
  readonly colours: boolean;
  /** Columns; default 80. */
  readonly width?: number;
}

/** A comparison as text for a terminal. */
export function renderTerminal(comparison: Comparison, { colours, width = 80 }: Look): string {
  const paint = painter(colours);
  const shown = withVisibleStrings(comparison);
  const { differences, unseen, notReached, leftBehind } = shown;
  const lines = [
    ...differences.flatMap((one) => [...difference(shown, one, { paint, width }), '']),
    ...section('Known differences that no longer appear', unseen, width),
    ...section('Known differences that were not reached', notReached, width),
    ...section('Left behind', leftBehind, width),
    ...section('Seen', coverageLines(shown), width),
    ...wrap(verdictSentence(shown), width).map((line) => paint('bold', line)),
  ];
  return withoutCommands(`${lines.join('\n')}\n`);
}

function section(title: string, texts: readonly string[], width: number): string[] {
  return texts.length === 0 ? [] : [title, ...bullets(texts, width), ''];
}

interface PageLook {
  readonly paint: Paint;
  readonly width: number;
}

function difference(
  comparison: Comparison,
  one: FoundDifference,
  { paint, width }: PageLook,
): string[] {
  const mark = one.known === undefined ? paint('red', 'differs') : paint('yellow', 'known');
  const line = lineOf(one);
  const entry = entryOf(one);
  // These are copied, so they are not broken.
  const whole = [['signature', one.signature], ...(entry === undefined ? [] : [['entry', entry]])];
  const facts = [
    ...(one.known === undefined ? [] : [['reason', one.known]]),
    ...(line === undefined
      ? []
      : [
          ['row', line.question],
          ['dialect', line.text],
        ]),
    ['again', repeatOptions(one)],
  ] as const;
  return [
    ...wrap(describeDifference(one, comparison), width - 9).map((text, index) =>
      index === 0 ? `${mark}  ${paint('bold', text)}` : `         ${text}`,
    ),
    ...facts.flatMap(([name = '', text = '']) => indent(hang(name, wrap(text, width - 12), 10))),
    ...indent(whole.map(([name = '', text]) => name.padEnd(10) + text)),
    ...one.transcript.flatMap((step, index) => transcript(step, index, comparison.sides, width)),
  ];
}

/** A step, with both responses side by side. */
function transcript(
  { move, exchanges }: TranscriptStep,
  index: number,
  sides: Comparison['sides'],
  width: number,
): string[] {
  const [one, other] = exchanges;
  const title = `${index + 1}. ${move}`;
  if (one === undefined || other === undefined) return indent([title]);
  const column = Math.floor((width - 7) / 2);
  const columns = [one, other].map((exchange, side) => [
    `${sides[side]}:`,
    ...responseLines(exchange).flatMap((line) => breakText(line, column)),
  ]);
  const [left = [], right = []] = columns;
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    `${(left[row] ?? '').padEnd(column)} | ${right[row] ?? ''}`.trimEnd(),
  );
  return indent([title, ...indent([requestLine(one), ...rows])]);
}

/** Pieces of a text, of at most so many characters. */
function breakText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const pieces = line.match(new RegExp(`.{1,${Math.max(10, width)}}`, 'gu'));
    return pieces ?? [''];
  });
}
