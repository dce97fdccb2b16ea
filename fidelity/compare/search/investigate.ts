import type { Behaviours } from '../../../interface/silent.ts';
import type { Contestant } from '../contestants.ts';
import { mockService } from '../contestants.ts';
import type { Move } from '../moves/move.ts';
import type { IsMasked, Outcome } from '../run/run-sequence.ts';
import { type Arena, addRows, fight, rerun } from './arena.ts';
import { candidateLines, type Line, withLine } from './rows.ts';
import { shrink } from './shrink.ts';
import { covers, type Signature, signatureOf } from './signature.ts';

/** What is known already: differences, and the rows of a dialect that explain them. */
export interface Knowledge {
  readonly isMasked: IsMasked;
  readonly rows: Partial<Behaviours>;
}

/** A difference that was confirmed and shrunk. */
export interface Investigated {
  readonly signature: Signature;
  /** Where its moves were in the sequence that showed it first. */
  readonly indexes: readonly number[];
  readonly outcome: Outcome;
  readonly line: Line | undefined;
}

/**
 * Confirms that a sequence shows a difference each time, and finds the shortest that does, and the row
 * that explains it. `undefined` for a difference that is not steady.
 */
export async function investigate(
  arena: Arena,
  moves: readonly Move[],
  found: Signature,
  knowledge: Knowledge,
): Promise<Investigated | undefined> {
  const shows = async (candidate: readonly Move[]): Promise<boolean> => {
    const { difference } = await fight(arena, candidate, knowledge);
    return difference !== undefined && covers(signatureOf(difference), found);
  };
  if (!(await isSteady(arena, moves, shows, knowledge.isMasked))) return undefined;
  const { moves: shortest, indexes } = await shrink(
    moves,
    async (candidate) => !arena.isOver() && (await shows(candidate)),
  );
  const { tape } = arena.target;
  tape.record();
  const outcome = await fight(arena, shortest, knowledge);
  const replay = tape.end();
  if (outcome.difference === undefined) return undefined;
  const signature = signatureOf(outcome.difference);
  const line = arena.second
    ? undefined
    : await explain(arena, shortest, outcome, replay, knowledge);
  return { signature, indexes, outcome, line };
}

/** Whether the difference appears in two more runs, in which each target responds alike. */
async function isSteady(
  arena: Arena,
  moves: readonly Move[],
  shows: (moves: readonly Move[]) => Promise<boolean>,
  isMasked: IsMasked,
): Promise<boolean> {
  const contestants = [arena.target, ...(arena.second ? [arena.second] : [])];
  const recorded: ReturnType<Contestant['tape']['end']>[][] = [];
  for (const _ of ['second', 'third']) {
    for (const { tape } of contestants) tape.record();
    const appears = await shows(moves);
    recorded.push(contestants.map(({ tape }) => tape.end()));
    if (!appears) return false;
  }
  const [first = [], second = []] = recorded;
  for (const [index, contestant] of contestants.entries()) {
    const [one, other] = [first[index], second[index]];
    if (one === undefined || other === undefined) return false;
    const services = () => [contestant.replay(one()), contestant.replay(other())] as const;
    const { difference } = await rerun(arena, moves, services, isMasked);
    if (difference !== undefined) return false;
  }
  return true;
}

/** The first line of a dialect with which a mock does what the target did. */
async function explain(
  arena: Arena,
  moves: readonly Move[],
  { steps, difference }: Outcome,
  replay: ReturnType<Contestant['tape']['end']>,
  { rows, isMasked }: Knowledge,
): Promise<Line | undefined> {
  const response = steps.at(-1)?.responses?.[0];
  if (response === undefined || difference === undefined) return undefined;
  const { delay } = difference.finding;
  if (delay !== undefined) return { row: 'time.ready', value: roundUp(delay) };
  for (const line of candidateLines(signatureOf(difference), response)) {
    const dialect = addRows(arena.dialect, withLine(rows, line));
    const { difference: left, unknown } = await rerun(
      arena,
      moves,
      (clock) => [arena.target.replay(replay()), mockService(dialect, clock)],
      isMasked,
    );
    if (left === undefined && unknown === undefined) return line;
  }
  return undefined;
}

/** The next of 1, 2, 5, 10, 20 and so on. */
function roundUp(milliseconds: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, milliseconds)));
  return power * ([1, 2, 5].find((step) => step * power >= milliseconds) ?? 10);
}
