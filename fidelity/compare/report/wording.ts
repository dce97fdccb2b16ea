import { rowOf } from '../../../interface/silent.ts';
import type { Comparison, FoundDifference } from '../search/comparison.ts';
import type { Signature } from '../search/signature.ts';

/** What the comparison concludes, in a sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { unreachable, differences, unseen, sides, coverage } = comparison;
  if (unreachable !== undefined) return unreachable;
  if (coverage.operations === 0) return 'Nothing could be compared: no sequence had all responses.';
  const found = differences.filter(({ known }) => known === undefined).length;
  const known = differences.length - found;
  const beside = known === 0 ? '' : `, beside ${count(known, 'known one')}`;
  if (found > 0) {
    return `${sides[0]} and ${sides[1]} differ: ${count(found, 'difference')} found${beside}.`;
  }
  if (unseen.length > 0) return `${count(unseen.length, 'known difference')} did not appear.`;
  return `No difference was found between ${sides[0]} and ${sides[1]}${beside}.`;
}

/** How much was seen, a line for each kind of thing. */
export function coverageLines({ coverage, unsteady, unknown, duration }: Comparison): string[] {
  const { operations, sequences, pairs, values, rows, byOperation } = coverage;
  const seconds = Math.max(duration, 1) / 1000;
  return [
    `${count(operations, 'operation')} in ${count(sequences, 'sequence')}, ${Math.round(operations / seconds)} a second`,
    `${Object.keys(byOperation).length} kinds of operations, ${count(pairs, 'pair')} of consecutive ones`,
    `${Object.keys(values).length} kinds of values that are not usual`,
    `${rows.reached} of ${rows.all} rows of the table of silent behaviours`,
    ...(unsteady === 0
      ? []
      : [`${count(unsteady, 'difference')} not steady, which count for nothing`]),
    ...(unknown === 0 ? [] : [`${count(unknown, 'sequence')} ended without a response`]),
  ];
}

/** A difference in a sentence. */
export function describeDifference({ operation, about, where, kinds }: Signature): string {
  const what = about.length === 0 ? operation : `${operation} (${about.join(', ')})`;
  return `${what}: ${where} is ${kinds[0]}, and ${kinds[1]} on the other side`;
}

/** The row that explains a difference, with the line for a dialect; nothing where there is none. */
export function lineOf({ line }: FoundDifference): { question: string; text: string } | undefined {
  if (line === undefined) return undefined;
  const text = `${JSON.stringify(line.row)}: ${JSON.stringify(line.value)}`;
  return { question: rowOf(line.row).question, text };
}

/** How to see a difference again. */
export function repeatOptions({ seed }: Comparison, { path }: FoundDifference): string {
  return `--seed ${seed} --path ${path}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
