import { rowOf } from '../../../interface/silent.ts';
import {
  type Comparison,
  endedEarly,
  type FoundDifference,
  type Line,
  type StatedLine,
} from '../model/comparison.ts';
import type { StepOfSide } from '../model/transcript.ts';

/** What the comparison concludes, in a sentence. */
export function verdictSentence(comparison: Comparison): string {
  const { unreachable, withoutSessions, interrupted, coverage } = comparison;
  if (interrupted && coverage.operations === 0) return 'Interrupted: nothing was compared.';
  return unreachable ?? withoutSessions ?? capitalize(sentenceOf(comparison));
}

/** Operations in which little is seen. */
const fewOperations = 300;

function sentenceOf(comparison: Comparison): string {
  const { differences, unseen, notReached, neverAnswered, sides, coverage, pathCutShort } =
    comparison;
  if (coverage.operations === 0) return 'Nothing could be compared: no sequence had all responses.';
  const found = differences.filter(({ known }) => known === undefined).length;
  const known = differences.length - found;
  const beside = known === 0 ? '' : `, beside ${count(known, 'known one')}`;
  if (found > 0) {
    return `${sides[0]} and ${sides[1]} differ: ${count(found, 'difference')} found${beside}.`;
  }
  if (unseen.length > 0)
    return `${count(unseen.length, 'known difference')} no longer ${unseen.length === 1 ? 'appears' : 'appear'}.`;
  if (notReached.length > 0) {
    return `${count(notReached.length, 'known difference')} could not be tried to the end: there was no time or no response, or two runs differed.`;
  }
  if (neverAnswered.length > 0) return `No request had a response: ${neverAnswered.join(', ')}.`;
  if (pathCutShort) {
    return 'The path could not be run to its last step, as only one side changed something before.';
  }
  const few =
    coverage.operations < fewOperations && comparison.timeRanOut ? ' before the time ran out' : '';
  const end = endedEarly(comparison) ? ' before the search ended early' : few;
  return `No difference was found between ${sides[0]} and ${sides[1]}${beside}, in ${count(coverage.operations, 'operation')}${end}.`;
}

/** What each side is, a line for each; nothing where nothing was compared. */
export function comparedLines({ sides, compared, coverage }: Comparison): string[] {
  if (coverage.operations === 0) return [];
  return sides.map((side, index) => capitalize(`${side}: ${compared[index]}`));
}

/** Milliseconds below which it is not said how long the known differences took. */
const shortest = 1_000;

/** How much was seen, a line for each kind of thing; nothing where the search did not begin. */
export function coverageLines(comparison: Comparison): string[] {
  const { coverage, unsteady, unconfirmed, unknown, unanswered, unknownReasons, duration } =
    comparison;
  const { knownDuration } = comparison;
  if ((comparison.unreachable ?? comparison.withoutSessions) !== undefined) return [];
  const { operations, sequences, pairs, values, rows, byOperation } = coverage;
  const seconds = Math.max(duration, 1) / 1000;
  return [
    `${count(operations, 'operation')} in ${count(sequences, 'sequence')}, ${Math.round(operations / seconds)} a second`,
    `${countKinds(byOperation, 'operation')}, ${count(pairs, 'pair')} of consecutive ones`,
    `${countKinds(values, 'value')} not usual`,
    `${rows.reached} of ${rows.all} rows of the table of silent behaviours`,
    ...(knownDuration < shortest
      ? []
      : [`Known differences took ${Math.round(knownDuration / 1000)} s of it, as they come first`]),
    ...(unsteady === 0
      ? []
      : [`${count(unsteady, 'difference')} not steady, which count for nothing`]),
    ...(unconfirmed === 0
      ? []
      : [`${count(unconfirmed, 'difference')} not confirmed, as the time was over`]),
    ...(unknown === 0
      ? []
      : [`${count(unknown, 'further sequence')} ended early, without a response or a session`]),
    ...(unanswered === 0
      ? []
      : [
          `${count(unanswered, 'request')} without a response: after one that writes, a difference counts only if the mock differs with the change and without it`,
        ]),
    ...unknownReasons.map((reason) =>
      reason.startsWith('going live')
        ? `No session could be made: ${reason}`
        : `No response: ${reason}`,
    ),
    ...(comparison.interrupted ? ['It was interrupted: there may be more differences'] : []),
    ...(comparison.gaveUp
      ? ['The search ended early, as no sequence had all responses any more']
      : []),
    ...(comparison.tooUnsteady
      ? [`The search ended early, as ${count(unsteady, 'difference')} were not steady`]
      : []),
    ...(comparison.foundMost
      ? [
          `The search ended after ${count(comparison.differences.length, 'difference')}: there may be more`,
        ]
      : []),
    ...(comparison.withSessions
      ? []
      : ['Sessions were not compared: each side needs a source of them, such as --control-url']),
    ...(comparison.timeRanOut
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

/** What there is to know about a difference, each with its name; what is `undefined` is left out. */
export function factsOf(one: FoundDifference): [string, string | undefined][] {
  const { known, line, stated } = one;
  const row = (line ?? stated)?.row;
  return [
    ['reason', known],
    ['row', row && rowOf(row).question],
    ['dialect', line ? writeLine(line) : stated && statedSentence(stated)],
    ['others', othersOf(one)],
    ['mock', appliedOf(one)],
    ['time', unfinishedOf(one)],
  ];
}

function statedSentence({ row, value, fits }: StatedLine): string {
  return `The dialect says ${writeLine({ row, value })}; here the target does ${JSON.stringify(fits)}. If learn --check finds this too, the service has changed. If it does not, no value says both: legal, not expressible.`;
}

/** The lines that the mock had already, in a sentence. */
function appliedOf({ applied = [] }: FoundDifference): string | undefined {
  if (applied.length === 0) return undefined;
  return `It already has the lines that other differences name: ${listLines(applied)}.`;
}

function unfinishedOf({ unfinished }: FoundDifference): string | undefined {
  return unfinished && `Not ${unfinished.join(' and not ')}, as the time was over.`;
}

/** Lines of a dialect that are shown of several. */
const mostLines = 3;

/** The lines that explain a difference as well as the one that is named, in a sentence. */
function othersOf({ others = [] }: FoundDifference): string | undefined {
  if (others.length === 0) return undefined;
  return `This difference alone does not tell it from ${listLines(others)}.`;
}

/** Some lines, and how many more there are. */
function listLines(lines: readonly Line[]): string {
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map(writeLine);
  return (more > 0 ? [...shown, `${more} more, which a report in JSON lists`] : shown).join(
    ' and ',
  );
}

function writeLine({ row, value }: Line): string {
  return `${JSON.stringify(row)}: ${JSON.stringify(value)}`;
}

/** What came in response to a step; `undefined` for one that is no request. */
export function cameOf({ status, failure }: StepOfSide): string | undefined {
  return status === undefined ? failure : String(status);
}

/** How to see a difference again. */
export function repeatOptions({ seed, path, applied = [] }: FoundDifference): string {
  const options = `--seed ${seed} --path ${path} beside the same target and sources of sessions`;
  return applied.length === 0 ? options : `${options}, with a dialect that has these lines`;
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

/** A number of things, such as `1 difference`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
