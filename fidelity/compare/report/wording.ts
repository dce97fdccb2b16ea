import { rowOf } from '../../../interface/silent.ts';
import type { Comparison, FoundDifference } from '../search/comparison.ts';

/** What the comparison concludes, in a sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { unreachable } = comparison;
  if (unreachable !== undefined) return unreachable;
  return capitalize(sentenceOf(comparison));
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

/** How much was seen, a line for each kind of thing. */
export function coverageLines(comparison: Comparison): string[] {
  const { coverage, unsteady, unknown, unknownReasons, duration, timeRanOut } = comparison;
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
    ...(timeRanOut
      ? [`The time ran out after ${count(sequences, 'sequence')}: there may be more differences`]
      : []),
  ];
}

/** A difference in a sentence. */
export function describeDifference(one: FoundDifference, { sides }: Comparison): string {
  const { operation, about, where } = one.found;
  const what = about.length === 0 ? operation : `${operation} (${about.join(', ')})`;
  const [first, second] = kindsOf(one);
  return `${what}: ${where} is ${first} on ${sides[0]}, and ${second} on ${sides[1]}`;
}

/** What is there on each side, as exactly as it is known. */
function kindsOf({ found, delays, transcript }: FoundDifference): readonly [string, string] {
  if (delays !== undefined) {
    const [first, second] = delays.map((delay) => `${Math.round(delay)} ms`);
    return [`${found.kinds[0]} (${first})`, `${found.kinds[1]} (${second})`];
  }
  if (found.where !== 'order of items') return found.kinds;
  const [one, other] = transcript.at(-1)?.exchanges ?? [];
  const [first, second] = [orderOf(one?.body), orderOf(other?.body)];
  return first === second ? found.kinds : [first, second];
}

/** The order of the records in a body, by when they were created. */
function orderOf(body = ''): string {
  const times = [...body.matchAll(/"createdAt":\s*(\d+)/g)].map(([, time]) => Number(time));
  const ascending = times.toSorted((a, b) => a - b);
  if (times.every((time, index) => time === ascending[index])) return 'oldest first';
  ascending.reverse();
  return times.every((time, index) => time === ascending[index]) ? 'newest first' : 'another order';
}

/** The row that explains a difference, with the line for a dialect; nothing where there is none. */
export function lineOf({ line }: FoundDifference): { question: string; text: string } | undefined {
  if (line === undefined) return undefined;
  const text = `${JSON.stringify(line.row)}: ${JSON.stringify(line.value)}`;
  return { question: rowOf(line.row).question, text };
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
