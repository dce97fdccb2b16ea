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
import type { Comparison, FoundDifference } from '../model/comparison.ts';
import type { ShownLine } from '../model/response-lines.ts';
import type { Transcript, TranscriptStep } from '../model/transcript.ts';
import {
  cameOf,
  comparedLines,
  coverageLines,
  describeDifference,
  entryOf,
  factsOf,
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
    ...section('Known differences that could not be tried to the end', notReached, width),
    ...section('Left behind', leftBehind, width),
    ...section('Compared', comparedLines(shown), width),
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
  const facts = [...factsOf(one), ['again', repeatOptions(one)] as const];
  // These are copied, so they are not broken.
  const whole = [
    ['signature', one.signature],
    ['entry', entryOf(one)],
  ] as const;
  return [
    ...wrap(describeDifference(one, comparison), width - 9).map((text, index) =>
      index === 0 ? `${mark}  ${paint('bold', text)}` : `         ${text}`,
    ),
    ...facts.flatMap(([name, text]) =>
      text === undefined ? [] : indent(hang(name, wrap(text, width - 12), 10)),
    ),
    ...indent(
      whole.flatMap(([name, text]) => (text === undefined ? [] : [name.padEnd(10) + text])),
    ),
    ...indent(transcript(one.transcript, comparison.sides, { paint, width: width - 2 })),
  ];
}

/** The steps with the status on each side, and then the last responses side by side. */
function transcript(
  { steps, responses }: Transcript,
  sides: Comparison['sides'],
  { paint, width }: PageLook,
): string[] {
  const column = Math.floor((width - 3) / 2);
  const [left = [], right = []] = responses.map((lines, side) => [
    { text: `${sides[side]}:` },
    ...lines.flatMap((line) => breakLine(line, column)),
  ]);
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const [one, other] = [left[row], right[row]];
    const space = ' '.repeat(Math.max(0, column - (one?.text.length ?? 0)));
    return `${cell(one, paint)}${space} | ${cell(other, paint)}`.trimEnd();
  });
  return [...steps.flatMap(describeStep), ...rows];
}

/** A step with the status on each side. Lines for a shell are copied, so they are not broken. */
function describeStep({ move, sides }: TranscriptStep, index: number): string[] {
  const came = sides.flatMap((side) => cameOf(side) ?? []);
  const title = `${index + 1}. ${[move, ...(came.length > 0 ? [came.join(' | ')] : [])].join(' → ')}`;
  return [title, ...sides.flatMap(({ request }) => (request === undefined ? [] : `   ${request}`))];
}

function cell(line: ShownLine | undefined, paint: Paint): string {
  if (line === undefined) return '';
  return line.differs ? paint('yellow', line.text) : line.text;
}

/** A line in pieces of at most so many characters; what differs has a mark before it. */
function breakLine({ text, differs }: ShownLine, width: number): ShownLine[] {
  const most = Math.max(10, width - 2);
  const pieces = text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${most}}`, 'gu')) ?? ['']);
  return pieces.map((piece) => ({
    text: `${differs ? '>' : ' '} ${piece}`,
    ...(differs && { differs }),
  }));
}
