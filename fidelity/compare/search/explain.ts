import { dialectSchema } from '../../../interface/dialect.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import { nextStep } from '../../time-steps.ts';
import type { Line } from '../model/comparison.ts';
import { covers, type Signature, signatureOf } from '../model/signature.ts';
import type { Move } from '../moves/move.ts';
import { isOfMedia } from '../run/media.ts';
import type { IsMasked, Outcome } from '../run/run-sequence.ts';
import { candidateLines, withLine } from './candidate-lines.ts';
import { bestOfRows, type Fit, fitOfRest, fittingOf, likeliest } from './fitting-lines.ts';
import type { ResponseRecorder } from './recorded-responses.ts';
import { replayTimes, runRecorded } from './run-recorded.ts';
import { addRows, type Search } from './search.ts';
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
  /** Those that the mock had beside its dialect. */
  readonly rows: Partial<Behaviours>;
  readonly outcome: Outcome;
  readonly replay: ReturnType<ResponseRecorder['end']>;
}

/** Milliseconds before which a recording counts as ready at once. */
const soon = 50;

/** The order of a service that notices first that it does not offer an operation. */
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
  for (const time of replayTimes) {
    const rows = { ...knowledge.rows, ...time };
    const before = await differencesWith(search, shown, { ...knowledge, rows });
    if (!before?.some((one) => covers(found, one))) continue;
    const beside = before.filter((one) => !covers(found, one));
    const isOfOperation = ({ row }: Line): boolean => row === `operation.${found.operation}`;
    const fitOf = async (line: Line): Promise<Fit | undefined> => {
      for (const more of isOfOperation(line) ? [{}, routeFirst] : [{}]) {
        const after = { ...knowledge, rows: { ...withLine(rows, line), ...more } };
        const rest = await differencesWith(search, shown, after);
        const fit = rest && fitOfRest(line, rest, beside, found);
        if (fit !== undefined) return fit;
      }
      return undefined;
    };
    const candidates = candidateLines(found, response, search.target.service.refusals);
    const lines = await likeliest(candidates, fitOf, search.shouldStop);
    if (lines.length === 0 || lines.some(isOfOperation)) return toExplanation(lines, found);
    // That an operation is absent explains whatever it refuses.
    const absent = candidates.flatMap((one) => one.lines).filter(isOfOperation);
    const fitting = await fittingOf(absent, fitOf, search.shouldStop);
    return toExplanation([...lines, ...bestOfRows(fitting)], found);
  }
  return undefined;
}

function toExplanation(lines: readonly Line[], found: Signature): Explanation | undefined {
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
  { moves, rows: rowsThen, replay }: Shown,
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
    {
      rows: rowsThen,
      isMasked(difference, isLast) {
        if (!isMasked(difference, isLast)) seen.push(signatureOf(difference));
        return true;
      },
    },
  );
  const isComplete = unknown === undefined && steps.at(-1)?.move === moves.at(-1);
  return isComplete ? seen : undefined;
}
