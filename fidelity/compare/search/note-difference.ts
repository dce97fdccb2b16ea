import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../../interface/dialect.ts';
import { type Behaviours, type RowId, usualBehaviours } from '../../../interface/silent.ts';
import type { FoundDifference, Line } from '../model/comparison.ts';
import { signatureOf, writeSignature } from '../model/signature.ts';
import { wordsOf, writeTranscript } from '../model/transcript.ts';
import type { Move } from '../moves/move.ts';
import type { Outcome } from '../run/run-sequence.ts';
import { adoptLine, withdrawLine } from './adopt-line.ts';
import type { Explanation, Knowledge } from './explain.ts';
import { type Investigated, investigate } from './investigate.ts';
import type { Search } from './search.ts';
import { knowledgeOf, type State } from './state.ts';

/** A sequence, and how it is made again. */
export interface Origin {
  readonly seed: number;
  readonly path: string;
  readonly moves: readonly Move[];
}

/** Investigates the difference that ended a sequence, if there is one, and notes it. */
export async function noteDifference(
  search: Search,
  origin: Origin,
  { difference, steps }: Outcome,
  state: State,
  knowledge: Knowledge,
): Promise<void> {
  if (difference === undefined) return;
  const signature = signatureOf(difference);
  const { moves } = origin;
  const until = moves.slice(0, moves.indexOf(steps.at(-1)?.move as Move) + 1);
  const { isMasked } = knowledgeOf(state);
  const investigated = await investigate(search, until, signature, knowledge, isMasked);
  if (investigated === 'no time') {
    state.unconfirmed += 1;
    return;
  }
  if (investigated === 'unknown') {
    state.unknown += 1;
    return;
  }
  if (investigated === 'unsteady') {
    state.unsteady.push(signature);
    return;
  }
  const { explanation } = investigated;
  const refuted = explanation && refutedRow(explanation, search.dialect, knowledge.rows);
  if (refuted !== undefined) {
    state.refuted.push({ row: refuted, value: knowledge.rows[refuted] });
    withdrawLine(refuted, state.found);
    return;
  }
  const lines = explanation && linesOf(explanation, search.dialect, state);
  const applied = linesIn(knowledge.rows);
  state.found.push({
    ...describeFound(origin, investigated, search),
    ...(applied.length > 0 && { applied }),
    ...lines,
  });
}

/** A row that was changed for an earlier difference: as this one shows, the mock was right without it. */
function refutedRow(
  { line, others }: Explanation,
  dialect: Dialect | undefined,
  changed: Partial<Behaviours>,
): RowId | undefined {
  const usual = { ...usualBehaviours, ...dialect?.rows };
  return [line, ...others].find(
    ({ row, value }) => row in changed && isDeepStrictEqual(value, usual[row]),
  )?.row;
}

/** The lines that are proposed; the dialect's own, where all that fit are of rows that it states. */
function linesOf(
  { line, others }: Explanation,
  dialect: Dialect | undefined,
  { found, refuted }: State,
): Partial<Pick<FoundDifference, 'line' | 'others' | 'stated'>> | undefined {
  const rows = dialect?.rows ?? {};
  const isRefuted = (one: Line) => refuted.some((other) => isDeepStrictEqual(one, other));
  const lines = [line, ...others].filter((one) => !isRefuted(one));
  if (lines.length === 0) return undefined;
  const [first, ...more] = lines.filter(({ row }) => rows[row] === undefined);
  // What the dialect says, it says of other requests too.
  if (first === undefined) return { stated: { ...line, value: rows[line.row], fits: line.value } };
  return adoptLine({ line: first, others: more }, found);
}

function linesIn(rows: Partial<Behaviours>): Line[] {
  return Object.entries(rows).map(([row, value]) => ({ row: row as RowId, value }));
}

function describeFound(
  { seed, path }: Origin,
  investigated: Investigated,
  { secrets, second }: Search,
): FoundDifference {
  const { signature, indexes, outcome, unfinished } = investigated;
  return {
    signature: writeSignature(signature),
    found: signature,
    words: wordsOf(outcome) ?? signature.kinds,
    seed,
    path: path.includes(':') ? path : `${path}:${indexes}`,
    transcript: writeTranscript(outcome, signature.where, {
      apiKeys: secrets,
      hasSecond: second !== undefined,
    }),
    ...(unfinished.length > 0 && { unfinished }),
  };
}
