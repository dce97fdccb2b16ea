import {
  type Comparison,
  type Difference,
  reasonToWrite,
  unsteadyOperations,
} from '../comparison.ts';
import type { StepOfSide } from '../transcript.ts';

/** What the comparison concludes, in a sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { unreachable, withoutSessions, interrupted, operations } = comparison;
  if (interrupted && operations === 0) return 'Interrupted: nothing was compared.';
  return unreachable ?? withoutSessions ?? capitalize(sentenceOf(comparison));
}

function sentenceOf(comparison: Comparison): string {
  const { differences, unseen, notReached, neverAnswered, sides, operations, end } = comparison;
  if (operations === 0) return 'Nothing could be compared: no sequence had all responses.';
  const unsteady = unsteadyOperations(comparison);
  if (unsteady.length > 0) {
    return `Too little is known: more differences came and went than stayed in ${unsteady.join(', ')}.`;
  }
  const found = differences.filter(({ known }) => known === undefined).length;
  const known = differences.length - found;
  const beside = known === 0 ? '' : `, beside ${count(known, 'known one')}`;
  if (found > 0) {
    return `${sides[0]} and ${sides[1]} differ: ${count(found, 'difference')} found${beside}.`;
  }
  if (unseen.length > 0) {
    return `${count(unseen.length, 'known difference')} no longer ${unseen.length === 1 ? 'appears' : 'appear'}.`;
  }
  if (notReached.length > 0) {
    return `${count(notReached.length, 'known difference')} could not be tried to the end: there was no time or no response.`;
  }
  if (neverAnswered.length > 0) {
    return `No request had a usable response: ${neverAnswered.join(', ')}.`;
  }
  const early = end === undefined || end === 'the time was over' ? '' : ' before the search ended';
  return `No difference was found between ${sides[0]} and ${sides[1]}${beside}, in ${count(operations, 'operation')}${early}.`;
}

/** What was compared and how much was seen, a line for each kind of thing; nothing where no search began. */
export function seenLines(comparison: Comparison): string[] {
  const { sides, compared, operations, sequences, duration, end } = comparison;
  if ((comparison.unreachable ?? comparison.withoutSessions) !== undefined) return [];
  const seconds = Math.max(duration, 1) / 1000;
  const unsteady = Object.values(comparison.unsteady).reduce((sum, one) => sum + one, 0);
  const when = (condition: boolean, text: string): string[] => (condition ? [text] : []);
  return [
    ...sides.map((side, index) => capitalize(`${side}: ${compared[index]}`)),
    `${count(operations, 'operation')} in ${count(sequences, 'sequence')}, ${Math.round(operations / seconds)} a second`,
    ...when(unsteady > 0, `${count(unsteady, 'difference')} not steady, which count for nothing`),
    ...when(
      comparison.unconfirmed > 0,
      `${count(comparison.unconfirmed, 'difference')} not confirmed, as the time was over`,
    ),
    ...when(
      comparison.unanswered > 0,
      `${count(comparison.unanswered, 'request')} without a response`,
    ),
    ...comparison.unknownReasons.map((reason) =>
      reason.startsWith('going live')
        ? `No session could be made: ${reason}`
        : `No response: ${reason}`,
    ),
    ...Object.entries(comparison.skipped ?? {}).map(
      ([why, times]) => `${count(times, 'request')} of the archive not sent, as ${why}`,
    ),
    ...when(comparison.interrupted === true, 'It was interrupted: there may be more differences'),
    ...when(end !== undefined, `The search ended as ${end}: there may be more differences`),
    ...when(
      !comparison.withSessions,
      'Sessions were not compared: each side needs a source of them, such as --control-url',
    ),
  ];
}

/** A difference in a sentence. */
export function describeDifference(
  { where, words, times, requests }: Difference,
  { sides }: Comparison,
): string {
  const often = times === 1 ? 'once' : `${times} times`;
  return `${where}: ${words[0]} on ${sides[0]}, ${words[1]} on ${sides[1]}; ${often}, in ${operationsIn(requests)}`;
}

/** The operations of some kinds of requests, those that come most often first. */
function operationsIn(requests: Difference['requests']): string {
  const counts = new Map<string, number>();
  for (const [kind, times] of Object.entries(requests)) {
    const [operation = ''] = kind.split(' ');
    counts.set(operation, (counts.get(operation) ?? 0) + times);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name)
    .join(', ');
}

/** The entry for a file of known differences, on one line, or why the difference is accepted. */
export function entryOf({ place, known, seed, sequence }: Difference): string {
  if (known !== undefined) return `known: ${known}`;
  return JSON.stringify({ difference: place, reason: reasonToWrite, seed, sequence });
}

/** What came in response to a step; nothing for one that is no request. */
export function cameOf({ status, failure = '' }: StepOfSide): string {
  return status === undefined ? failure : String(status);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number of things, such as `1 difference`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
