import type { KnownDifference } from '../model/known.ts';
import { isLike, signatureOf } from '../model/signature.ts';
import type { Move } from '../moves/move.ts';
import { asUnknown, type IsMasked, type Outcome, unansweredStep } from '../run/run-sequence.ts';
import type { Knowledge } from './explain.ts';
import { noteDifference, type Origin } from './note-difference.ts';
import { runOnce } from './run-once.ts';
import type { Search } from './search.ts';
import { knowledgeOf, noteOutcome, type State } from './state.ts';

/** The sequence that a number names. */
type SequenceOf = (number: number) => readonly Move[];

/** The moves that a path names; it may be one of another version, with steps that are not there. */
export function movesOf(path: string, sequenceOf: SequenceOf): readonly Move[] {
  const [number, indexes] = path.split(':');
  const all = sequenceOf(Number(number));
  return indexes === undefined ? all : indexes.split(',').flatMap((at) => all[Number(at)] ?? []);
}

/** Runs the sequence of a path, and notes every difference that its last step shows. */
export async function runPath(search: Search, origin: Origin, state: State): Promise<void> {
  const alone = await runUntilKnown(search, origin, state, { withLines: false });
  if (asUnknown(alone).unknown !== undefined) return;
  // What explains one difference may uncover another, or let the sequence go on to its end.
  const { unknown, steps } = await runUntilKnown(search, origin, state, { withLines: true });
  state.pathCutShort = unknown === undefined && steps.at(-1)?.move !== origin.moves.at(-1);
}

/** Runs a path until it shows nothing new. Resolves to its last outcome. */
async function runUntilKnown(
  search: Search,
  origin: Origin,
  state: State,
  { withLines }: { withLines: boolean },
): Promise<Outcome> {
  for (;;) {
    const known = knowledgeOf(state);
    const rows = withLines ? known.rows : {};
    const isMasked: IsMasked = (one, isLast) => !isLast || known.isMasked(one, isLast);
    let knowledge = { isMasked, rows };
    let outcome = await runOnce(search, origin.moves, { ...knowledge, records: true });
    if (state.coverage.operations() === 0) noteOutcome(asUnknown(outcome), state);
    const ended = outcome.steps.at(-1)?.move === origin.moves.at(-1);
    if (withLines && !ended) {
      // What ended it is a difference too.
      knowledge = { ...known, rows };
      outcome = await runOnce(search, origin.moves, { ...knowledge, records: true });
    }
    const noted = countNoted(state);
    await noteDifference(search, origin, outcome, state, knowledge);
    state.timeRanOut = search.isOver();
    if (countNoted(state) === noted || state.timeRanOut) return outcome;
  }
}

function countNoted({ found, unsteady, refuted }: State): number {
  return found.length + unsteady.length + refuted.length;
}

/** Runs the sequence of each known difference, and notes which no longer appear. */
export async function runKnown(
  search: Search,
  known: readonly KnownDifference[],
  sequenceOf: (seed: number, number: number) => readonly Move[],
  state: State,
): Promise<void> {
  // As they were found: what explained one was in the mock when the next was found.
  const inOrder = known.toSorted((one, other) => numberOf(one) - numberOf(other));
  for (const { signature, seed = 1, path } of inOrder) {
    const origin = { seed, path, moves: movesOf(path, (number) => sequenceOf(seed, number)) };
    const isMasked: IsMasked = (difference) => !isLike(signature, signatureOf(difference));
    const appears =
      (await mayAppear(search, origin, state, { isMasked, rows: knowledgeOf(state).rows })) ||
      // What explains other differences may hide this one.
      (await mayAppear(search, origin, state, { isMasked, rows: {} }));
    if (search.isOver() || search.shouldStop()) return;
    if (!appears) state.gone.push(signature);
  }
}

/** The number of the sequence that showed a difference first. */
function numberOf({ path }: KnownDifference): number {
  return Number.parseInt(path, 10);
}

/** Runs the sequence of a difference. `false` if both sides responded to all of it, and alike. */
async function mayAppear(
  search: Search,
  origin: Origin,
  state: State,
  knowledge: Knowledge,
): Promise<boolean> {
  if (search.isOver() || search.shouldStop()) return false;
  const outcome = await runOnce(search, origin.moves, { ...knowledge, records: true });
  noteOutcome(outcome, state);
  await noteDifference(search, origin, outcome, state, knowledge);
  const isUnknown = outcome.unknown !== undefined || unansweredStep(outcome) !== undefined;
  return outcome.difference !== undefined || isUnknown;
}
