import { rowOf } from '../../../interface/silent.ts';
import type { Comparison, FoundDifference } from '../search/comparison.ts';
import type { Line } from '../search/rows.ts';

/** What the comparison concludes, in a sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { unreachable, withoutSessions } = comparison;
  return unreachable ?? withoutSessions ?? capitalize(sentenceOf(comparison));
}

function sentenceOf({ differences, unseen, sides, coverage }: Comparison): string {
  if (coverage.operations === 0) return 'Nothing could be compared: no sequence had all responses.';
  const found = differences.filter(({ known }) => known === undefined).length;
  const known = differences.length - found;
  const beside = known === 0 ? '' : `, beside ${count(known, 'known one')}`;
  if (found > 0) {
    return `${sides[0]} and ${sides[1]} differ: ${count(found, 'difference')} found${beside}.`;
  }
  if (unseen.length > 0)
    return `${count(unseen.length, 'known difference')} no longer ${unseen.length === 1 ? 'appears' : 'appear'}.`;
  return `No difference was found between ${sides[0]} and ${sides[1]}${beside}.`;
}

/** How much was seen, a line for each kind of thing; nothing where the search did not begin. */
export function coverageLines(comparison: Comparison): string[] {
  const { coverage, unsteady, unknown, unknownReasons, duration, timeRanOut, gaveUp } = comparison;
  if ((comparison.unreachable ?? comparison.withoutSessions) !== undefined) return [];
  const { operations, sequences, pairs, values, rows, byOperation } = coverage;
  const seconds = Math.max(duration, 1) / 1000;
  return [
    `${count(operations, 'operation')} in ${count(sequences, 'sequence')}, ${Math.round(operations / seconds)} a second`,
    `${countKinds(byOperation, 'operation')}, ${count(pairs, 'pair')} of consecutive ones`,
    `${countKinds(values, 'value')} not usual`,
    `${rows.reached} of ${rows.all} rows of the table of silent behaviours`,
    ...(unsteady === 0
      ? []
      : [`${count(unsteady, 'difference')} not steady, which count for nothing`]),
    ...(unknown === 0
      ? []
      : [`${count(unknown, 'sequence')} ended early, without a response or a session`]),
    ...unknownReasons.map((reason) =>
      reason.startsWith('going live')
        ? `No session could be made: ${reason}`
        : `No response: ${reason}`,
    ),
    ...(gaveUp ? ['The search ended early, as no sequence had all responses any more'] : []),
    ...(timeRanOut
      ? [`The time ran out after ${count(sequences, 'sequence')}: there may be more differences`]
      : []),
  ];
}

/** A difference in a sentence. */
export function describeDifference(one: FoundDifference, { sides }: Comparison): string {
  const { found, words } = one;
  const { operation, about, where } = found;
  const what = about.length === 0 ? operation : `${operation} (${about.join(', ')})`;
  return `${what}: ${where} is ${words[0]} on ${sides[0]}, and ${words[1]} on ${sides[1]}`;
}

/** The row that explains a difference, with the line for a dialect; nothing where there is none. */
export function lineOf({ line }: FoundDifference): { question: string; text: string } | undefined {
  return line && { question: rowOf(line.row).question, text: writeLine(line) };
}

/** Lines that are shown of those that fit as well. */
const mostOthers = 3;

/** The lines that explain a difference as well as the one that is named, in a sentence. */
export function othersOf({ others = [] }: FoundDifference): string | undefined {
  if (others.length === 0) return undefined;
  const more = others.length - mostOthers;
  const shown = others.slice(0, mostOthers).map(writeLine);
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return `This difference alone does not tell it from ${all.join(' and ')}.`;
}

function writeLine({ row, value }: Line): string {
  return `${JSON.stringify(row)}: ${JSON.stringify(value)}`;
}

/** How to see a difference again. */
export function repeatOptions({ seed, path }: FoundDifference): string {
  return `--seed ${seed} --path ${path}`;
}

/** The entry for a file of known differences, on one line; nothing for a known one. */
export function entryOf({ entry }: FoundDifference): string | undefined {
  return entry && JSON.stringify(entry);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How many kinds of something were counted, as `1 kind of operation`. */
function countKinds(counts: Readonly<Record<string, number>>, noun: string): string {
  const { length } = Object.keys(counts);
  return length === 1 ? `1 kind of ${noun}` : `${length} kinds of ${noun}s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
