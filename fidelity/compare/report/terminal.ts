import { withVisibleStrings } from '../../../conformance/model/visible.ts';
import {
  bullets,
  type Paint,
  painter,
  withoutCommands,
  wrap,
} from '../../../conformance/report/text.ts';
import type { Comparison, Difference } from '../comparison.ts';
import { shorten } from '../transcript.ts';
import { cameOf, describeDifference, entryOf, seenLines, verdictSentence } from './wording.ts';

/** How a comparison is shown on a terminal. */
interface Look {
  readonly colours: boolean;
  /** Columns; default 80. */
  readonly width?: number;
}

/** A comparison as text for a terminal: three lines for a difference. A report has the rest. */
export function renderTerminal(comparison: Comparison, { colours, width = 80 }: Look): string {
  const paint = painter(colours);
  const shown = withVisibleStrings(comparison);
  const { differences, unseen, notReached, leftBehind } = shown;
  const lines = [
    ...differences.flatMap((one) => difference(shown, one, { paint, width })),
    ...section('Known differences that no longer appear', unseen, width),
    ...section('Known differences that could not be tried to the end', notReached, width),
    ...section('Left behind', leftBehind, width),
    ...section('Seen', seenLines(shown), width),
    ...wrap(verdictSentence(shown), width).map((line) => paint('bold', line)),
  ];
  return withoutCommands(`${lines.join('\n')}\n`);
}

function section(title: string, texts: readonly string[], width: number): string[] {
  return texts.length === 0 ? [] : [title, ...bullets(texts, width)];
}

/** What differs, what led to it, and the entry that accepts it, which is copied and so never cut. */
function difference(
  comparison: Comparison,
  one: Difference,
  { paint, width }: { paint: Paint; width: number },
): string[] {
  const mark = one.known === undefined ? paint('red', 'differs') : paint('yellow', 'known  ');
  const column = width - 9;
  const steps = one.transcript.steps.map(({ move, sides }) => {
    const [first, second] = sides.map(cameOf);
    const came = first === second ? first : `${first} | ${second}`;
    return `${move} ${came}`.trimEnd();
  });
  return [
    `${mark}  ${paint('bold', shorten(describeDifference(one, comparison), column))}`,
    `         ${shorten(steps.join(' → ') + (one.isLong ? ' (not made shorter, as the time was over)' : ''), column)}`,
    `         ${entryOf(one)}`,
  ];
}
