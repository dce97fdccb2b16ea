import { setImmediate } from 'node:timers/promises';
import { groupBy } from '../../../conformance/model/group-by.ts';
import { dialectSchema } from '../../../interface/dialect.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import { nextStep } from '../../time-steps.ts';
import type { Line } from '../model/comparison.ts';
import { covers, type Signature, signatureOf } from '../model/signature.ts';
import type { Move } from '../moves/move.ts';
import { isOfMedia } from '../run/media.ts';
import type { IsMasked, Outcome } from '../run/run-sequence.ts';
import { type CandidateLines, candidateLines, withLine } from './candidate-lines.ts';
import type { ResponseRecorder } from './recorded-responses.ts';
import { addRows, runRecorded, type Search } from './run-once.ts';
import { mockService } from './sides.ts';

/** What is known already: differences, and the rows of a dialect that explain them. */
export interface Knowledge {
  readonly isMasked: IsMasked;
  readonly rows: Partial<Behaviours>;
}

/** A line of a dialect with which a mock does what the target did, and those that fit as well. */
export interface Explanation {
  readonly line: Line;
  readonly others: readonly Line[];
}

/** A sequence that shows a difference, with what the target responded. */
interface Shown {
  readonly moves: readonly Move[];
  readonly outcome: Outcome;
  readonly replay: ReturnType<ResponseRecorder['end']>;
}

/**
 * Times of the mock with which the responses are tried: where the target's session was ready, that of
 * the mock has to be, and no time passes while responses are replayed.
 */
const times: readonly Partial<Behaviours>[] = [{}, { 'time.ready': 0, 'time.listed': 0 }];

/** Milliseconds before which a recording counts as ready at once. */
const soon = 50;

const routeFirst: Partial<Behaviours> = {
  'order.unknown-route': ['route', 'wrong-key', 'no-key', 'body'],
};

/** Finds the lines that make a difference disappear and no new one appear; the likeliest only. */
export async function explain(
  search: Search,
  shown: Shown,
  knowledge: Knowledge,
): Promise<Explanation | undefined> {
  const { steps, difference } = shown.outcome;
  const response = steps.at(-1)?.responses?.[0];
  if (response === undefined || difference === undefined) return undefined;
  // No row has the status of an error of the server, or says what media is like.
  if (response.status >= 500 || isOfMedia(difference.finding)) return undefined;
  const [delay] = difference.finding.delays ?? [];
  if (delay !== undefined) {
    const value = delay < soon ? 0 : nextStep(delay);
    return { line: { row: 'time.ready', value }, others: [] };
  }
  const found = signatureOf(difference);
  for (const time of times) {
    const rows = { ...knowledge.rows, ...time };
    const before = await differencesWith(search, shown, { ...knowledge, rows });
    if (!before?.some((one) => covers(found, one))) continue;
    const beside = before.filter((one) => !covers(found, one));
    const fitOf = async (line: Line): Promise<Fit | undefined> => {
      const isAbsent = line.row === `operation.${found.operation}`;
      // A service that does not offer an operation may notice that before what else is wrong.
      for (const more of isAbsent ? [{}, routeFirst] : [{}]) {
        const after = { ...knowledge, rows: { ...withLine(rows, line), ...more } };
        const rest = await differencesWith(search, shown, after);
        const fit = rest && fitOfRest(line, rest, beside, found);
        if (fit !== undefined) return fit;
      }
      return undefined;
    };
    return likeliest(found, candidateLines(found, response), fitOf, search.shouldStop);
  }
  return undefined;
}

/** How well a line fits: what it leaves that was not seen while the statuses differed. */
interface Fit {
  readonly line: Line;
  /** Differences that it leaves. */
  readonly left: number;
  /** Whether the form of the refusal is among them. */
  readonly leavesForm: boolean;
}

/** How well a line fits that leaves these differences, of which `beside` were there before. */
function fitOfRest(
  line: Line,
  rest: readonly Signature[],
  beside: readonly Signature[],
  found: Signature,
): Fit | undefined {
  const fresh = rest.filter((one) => !beside.some((known) => covers(known, one)));
  const wasHidden = ({ operation, where }: Signature): boolean =>
    found.where === 'status' && where !== 'status' && operation === found.operation;
  if (!fresh.every(wasHidden)) return undefined;
  const leavesForm = fresh.some(({ where }) => ['refusal', 'header content-type'].includes(where));
  return { line, left: fresh.length, leavesForm };
}

/** Words that a row has in common with a request, from which it is likelier than what fits better. */
const telling = 3;

/** The first lines that fit, of the likeliest that do. */
async function likeliest(
  found: Signature,
  candidates: readonly CandidateLines[],
  fitOf: (line: Line) => Promise<Fit | undefined>,
  shouldStop: () => boolean,
): Promise<Explanation | undefined> {
  let second: readonly Fit[] = [];
  for (const { lines, inCommon } of candidates) {
    const fitting: Fit[] = [];
    for (const line of lines) {
      if (shouldStop()) return undefined;
      // Meanwhile connections that were closed have to be noticed, and an interruption.
      await setImmediate();
      fitting.push(...[await fitOf(line)].flatMap((fit) => fit ?? []));
    }
    const whole = fitting.filter(({ left }) => left === 0);
    if (whole.length > 0) return toExplanation(whole, found);
    if (fitting.length > 0 && inCommon >= telling) return toExplanation(bestOfRows(fitting), found);
    if (second.length === 0 && inCommon > 0) {
      second = bestOfRows(fitting.filter(({ leavesForm }) => !leavesForm));
    }
  }
  return toExplanation(second, found);
}

/** Those lines of each row that leave least. */
function bestOfRows(fitting: readonly Fit[]): Fit[] {
  const rows = groupBy(fitting, ({ line }) => line.row);
  return rows.flatMap((fits) => {
    const least = Math.min(...fits.map(({ left }) => left));
    return fits.filter(({ left }) => left === least);
  });
}

function toExplanation(fitting: readonly Fit[], found: Signature): Explanation | undefined {
  const lines = fitting.map(({ line }) => line);
  const [line, ...others] = found.kinds[0] === 'absent' ? absentFirst(lines) : lines;
  return line && { line, others };
}

/** Lines which say that something is absent, and then the others. */
function absentFirst(lines: readonly Line[]): Line[] {
  const saysAbsent = ({ value }: Line) => value === null || value === 'none' || value === 'absent';
  return lines.toSorted((one, other) => Number(saysAbsent(other)) - Number(saysAbsent(one)));
}

/** The differences between what the target responded and a mock; `undefined` if there is none or the sequence broke off. */
async function differencesWith(
  search: Search,
  { moves, replay }: Shown,
  { rows, isMasked }: Knowledge,
): Promise<readonly Signature[] | undefined> {
  const seen: Signature[] = [];
  const dialect = addRows(search.dialect, rows);
  // Two rows together can break a rule that the interface states.
  if (!dialectSchema.safeParse(dialect).success) return undefined;
  const { steps, unknown } = await runRecorded(
    search,
    moves,
    (clock) => [search.target.replay(replay()), mockService(dialect, clock)],
    (difference, isLast) => {
      if (!isMasked(difference, isLast)) seen.push(signatureOf(difference));
      return true;
    },
  );
  const isComplete = unknown === undefined && steps.at(-1)?.move === moves.at(-1);
  return isComplete ? seen : undefined;
}
