import { createSequences, type Offers } from '../moves/generate.ts';
import type { Move } from '../moves/move.ts';
import type { IsMasked, Outcome } from '../run/run-sequence.ts';
import { adoptLine } from './adopt-line.ts';
import type { FoundDifference } from './comparison.ts';
import type { Knowledge } from './explain.ts';
import { type Investigated, investigate } from './investigate.ts';
import type { KnownDifference } from './known.ts';
import { runOnce, type Search } from './run-once.ts';
import type { Side } from './sides.ts';
import { isLike, signatureOf, writeSignature } from './signature.ts';
import { knowledgeOf, noteOutcome, type State } from './state.ts';
import { wordsOf, writeTranscript } from './transcript.ts';

/** Which sequences are run, and how many. */
export interface SearchOptions {
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Runs only the sequence of a difference again, as {@link FoundDifference} names it. */
  path?: string;
  /** Differences that are accepted; the sequences of those with a path are run first. */
  known?: readonly KnownDifference[];
  /** Operations after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  onProgress?: (operations: number, differences: number) => void;
}

/** Sequences in a row without a response, after which the target is given up. */
const mostUnknown = 10;

/** Runs sequence after sequence, and notes the differences, until the search is over. */
export async function findDifferences(
  search: Search,
  options: SearchOptions,
  state: State,
): Promise<void> {
  const { seed = 1, operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  const sequenceOf = createSequences(offersOf(search));
  if (options.path === undefined) await runKnown(search, options.known ?? [], sequenceOf, state);
  let unknownInARow = 0;
  for (const { path, moves } of sequencesOf(options.path, (number) => sequenceOf(seed, number))) {
    const sent = state.coverage.operations();
    options.onProgress?.(sent, state.found.length);
    const isEnough = sent >= operations || state.found.length >= most;
    if (isEnough || search.shouldStop()) return;
    state.gaveUp = unknownInARow >= mostUnknown;
    state.timeRanOut = search.isOver();
    if (state.gaveUp || state.timeRanOut) return;
    const outcome = await runOnce(search, moves, knowledgeOf(state));
    noteOutcome(outcome, state);
    unknownInARow = outcome.unknown === undefined ? 0 : unknownInARow + 1;
    const where = { seed, path, moves };
    await noteDifference(search, where, outcome, state, knowledgeOf(state));
  }
}

/** Runs the sequence of each known difference that has one, and notes which no longer appear. */
async function runKnown(
  search: Search,
  known: readonly KnownDifference[],
  sequenceOf: (seed: number, number: number) => readonly Move[],
  state: State,
): Promise<void> {
  for (const { signature, seed = 1, path } of known) {
    if (path === undefined) continue;
    const origin = { seed, path, moves: movesOf(path, (number) => sequenceOf(seed, number)) };
    const isMasked: IsMasked = (difference) => !isLike(signature, signatureOf(difference));
    const appears =
      (await mayAppear(search, origin, state, { isMasked, rows: state.rows })) ||
      // What explains other differences may hide this one.
      (await mayAppear(search, origin, state, { isMasked, rows: {} }));
    if (search.isOver() || search.shouldStop()) return;
    if (!appears) state.gone.push(signature);
  }
}

/** Runs the sequence of a difference. `false` if both sides responded to all of it, and alike. */
async function mayAppear(
  search: Search,
  origin: Origin,
  state: State,
  knowledge: Knowledge,
): Promise<boolean> {
  if (search.isOver() || search.shouldStop()) return false;
  const outcome = await runOnce(search, origin.moves, knowledge);
  noteOutcome(outcome, state);
  await noteDifference(search, origin, outcome, state, knowledge);
  return outcome.difference !== undefined || outcome.unknown !== undefined;
}

/** The sequences of a search: without end, or only the moves that a path names. */
function* sequencesOf(
  path: string | undefined,
  sequence: (number: number) => readonly Move[],
): Generator<{ path: string; moves: readonly Move[] }> {
  if (path !== undefined) {
    yield { path, moves: movesOf(path, sequence) };
    return;
  }
  for (let number = 0; ; number++) yield { path: String(number), moves: sequence(number) };
}

/** The moves that a path names. */
function movesOf(path: string, sequence: (number: number) => readonly Move[]): readonly Move[] {
  const [number, indexes] = path.split(':');
  const all = sequence(Number(number));
  return indexes === undefined ? all : indexes.split(',').flatMap((at) => all[Number(at)] ?? []);
}

/** A sequence, and how it is made again. */
interface Origin {
  readonly seed: number;
  readonly path: string;
  readonly moves: readonly Move[];
}

async function noteDifference(
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
  const investigated = await investigate(search, until, signature, knowledge);
  if (investigated === 'unsteady') {
    state.unsteady.push(signature);
    return;
  }
  if (investigated === 'unknown') {
    state.unknown += 1;
    return;
  }
  const { explanation } = investigated;
  const lines = explanation && adoptLine(explanation, state.found);
  state.found.push({ ...describeFound(origin, investigated, search.secrets), ...lines });
  const line = lines?.line;
  // What the dialect says already, it says of other requests too.
  const isNew = line !== undefined && search.dialect?.rows[line.row] === undefined;
  if (isNew) state.rows = { ...state.rows, [line.row]: line.value };
}

function describeFound(
  { seed, path }: Origin,
  investigated: Investigated,
  secrets: readonly string[],
): FoundDifference {
  const { signature, indexes, outcome } = investigated;
  return {
    signature: writeSignature(signature),
    found: signature,
    words: wordsOf(outcome) ?? signature.kinds,
    seed,
    path: path.includes(':') ? path : `${path}:${indexes}`,
    transcript: writeTranscript(outcome, signature.where, secrets),
  };
}

function offersOf({ target, second }: Search): Offers {
  const sides: readonly Side[] = [target, ...(second ? [second] : [])];
  const providers = sides.map(({ service }) => service.provider);
  const encoders = providers.filter((provider) => 'broadcast' in provider);
  const isLive = encoders.length === providers.length;
  return {
    live: !isLive ? 'none' : encoders.every((encoder) => encoder.goLive) ? 'stop' : 'broadcast',
    otherKey: sides.every(({ service }) => service.otherKey !== undefined),
  };
}
