import { setImmediate } from 'node:timers/promises';
import { groupBy } from '../../../conformance/model/group-by.ts';
import type { Line } from '../model/comparison.ts';
import { covers, type Signature } from '../model/signature.ts';
import type { CandidateLines } from './candidate-lines.ts';

/** How well a line fits: what it leaves that was not seen while the statuses differed. */
export interface Fit {
  readonly line: Line;
  /** Differences that it leaves. */
  readonly left: number;
  /** Whether the form of the refusal is among them. */
  readonly leavesForm: boolean;
}

/** How well a line fits that leaves these differences, of which `beside` were there before. */
export function fitOfRest(
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

/** With so much in common with a request, a row is likelier than one that has less and fits better. */
const telling = 3;

/** The first lines that fit, of the likeliest that do; none where no line does, or the search is over. */
export async function likeliest(
  candidates: readonly CandidateLines[],
  fitOf: (line: Line) => Promise<Fit | undefined>,
  shouldStop: () => boolean,
): Promise<readonly Line[]> {
  let second: readonly Line[] = [];
  for (const { lines, inCommon } of candidates) {
    const fitting = await fittingOf(lines, fitOf, shouldStop);
    if (shouldStop()) return [];
    const whole = fitting.filter(({ left }) => left === 0);
    if (whole.length > 0) return linesOf(whole);
    if (fitting.length > 0 && inCommon >= telling) return bestOfRows(fitting);
    if (second.length === 0 && inCommon > 0) {
      second = bestOfRows(fitting.filter(({ leavesForm }) => !leavesForm));
    }
  }
  return second;
}

/** The lines that fit, of those that are tried before the search is over. */
export async function fittingOf(
  lines: readonly Line[],
  fitOf: (line: Line) => Promise<Fit | undefined>,
  shouldStop: () => boolean,
): Promise<Fit[]> {
  const fitting: Fit[] = [];
  for (const line of lines) {
    if (shouldStop()) break;
    // Lets the event loop notice closed connections and an interruption.
    await setImmediate();
    fitting.push(...[await fitOf(line)].flatMap((fit) => fit ?? []));
  }
  return fitting;
}

/** Of each row, the lines that leave the fewest differences. */
export function bestOfRows(fitting: readonly Fit[]): Line[] {
  const rows = groupBy(fitting, ({ line }) => line.row);
  return rows.flatMap((fits) => {
    const least = Math.min(...fits.map(({ left }) => left));
    return linesOf(fits.filter(({ left }) => left === least));
  });
}

function linesOf(fitting: readonly Fit[]): Line[] {
  return fitting.map(({ line }) => line);
}
