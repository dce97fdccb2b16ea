import type { Behaviours } from '../../../interface/silent.ts';
import { createSequences, type Offers } from '../moves/generate.ts';
import { isRequest, type Move } from '../moves/move.ts';
import type { Difference, Outcome } from '../run/run-sequence.ts';
import type { FoundDifference, TranscriptStep } from './comparison.ts';
import { createCoverage } from './coverage.ts';
import { type Investigated, investigate, type Knowledge } from './investigate.ts';
import { runOnce, type Search } from './run-once.ts';
import type { Side } from './sides.ts';
import { covers, type Signature, signatureOf, writeSignature } from './signature.ts';

/** Which sequences are run, and how many. */
export interface SearchOptions {
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Runs only the sequence of a difference again, as {@link FoundDifference} names it. */
  path?: string;
  /** Requests to each side after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  onProgress?: (operations: number, differences: number) => void;
}

/** What the search has found so far. */
export interface State {
  readonly found: FoundDifference[];
  readonly unsteady: Signature[];
  unknown: number;
  /** Rows of the mock that were changed to do as the target does. */
  rows: Partial<Behaviours>;
  readonly coverage: ReturnType<typeof createCoverage>;
}

export function createState(): State {
  return { found: [], unsteady: [], unknown: 0, rows: {}, coverage: createCoverage() };
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
  let unknownInARow = 0;
  for (const { path, moves } of sequencesOf(options.path, (number) => sequenceOf(seed, number))) {
    const { operations: sent } = state.coverage.read();
    options.onProgress?.(sent, state.found.length);
    const isOver = sent >= operations || state.found.length >= most || search.isOver();
    if (isOver || search.shouldStop() || unknownInARow >= mostUnknown) return;
    const outcome = await runOnce(search, moves, knowledgeOf(state));
    if (outcome.unknown === undefined) {
      state.coverage.note(outcome);
      unknownInARow = 0;
    } else {
      state.unknown += 1;
      unknownInARow += 1;
    }
    if (outcome.difference !== undefined) await noteDifference(search, path, moves, outcome, state);
  }
}

/** The sequences of a search: without end, or only the moves that a path names. */
function* sequencesOf(
  path: string | undefined,
  sequence: (number: number) => readonly Move[],
): Generator<{ path: string; moves: readonly Move[] }> {
  if (path !== undefined) {
    const [number, indexes] = path.split(':');
    const all = sequence(Number(number));
    const moves =
      indexes === undefined ? all : indexes.split(',').flatMap((at) => all[Number(at)] ?? []);
    yield { path, moves };
    return;
  }
  for (let number = 0; ; number++) yield { path: String(number), moves: sequence(number) };
}

function knowledgeOf({ found, unsteady, rows }: State): Knowledge {
  const known = [...found.map((one) => one.found), ...unsteady];
  const isMasked = (difference: Difference): boolean => {
    const signature = signatureOf(difference);
    return known.some((one) => covers(one, signature));
  };
  return { isMasked, rows };
}

async function noteDifference(
  search: Search,
  path: string,
  moves: readonly Move[],
  { difference, steps }: Outcome,
  state: State,
): Promise<void> {
  if (difference === undefined) return;
  const signature = signatureOf(difference);
  const until = moves.slice(0, moves.indexOf(steps.at(-1)?.move as Move) + 1);
  const investigated = await investigate(search, until, signature, knowledgeOf(state));
  if (investigated === undefined) {
    state.unsteady.push(signature);
    return;
  }
  state.found.push(describeFound(path, investigated));
  const { line } = investigated;
  // What the dialect says already, it says of other requests too.
  const isNew = line !== undefined && search.dialect?.rows[line.row] === undefined;
  if (isNew) state.rows = { ...state.rows, [line.row]: line.value };
}

function describeFound(path: string, investigated: Investigated): FoundDifference {
  const { signature, indexes, outcome, line } = investigated;
  return {
    signature: writeSignature(signature),
    found: signature,
    path: path.includes(':') ? path : `${path}:${indexes}`,
    transcript: outcome.steps.map(
      ({ move, exchanges }): TranscriptStep => ({
        move: describeMove(move),
        exchanges: [exchanges[0].at(-1), exchanges[1].at(-1)],
      }),
    ),
    ...(line && { line }),
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

/** A move in words, as a step of a transcript. */
function describeMove(move: Move): string {
  if (isRequest(move)) return move.operation;
  if ('wait' in move) return `wait ${move.wait} ms`;
  if ('stop' in move) return 'the stream stops being live';
  if ('follow' in move) return 'follow the link to the next page';
  return move.seconds === undefined
    ? 'the stream goes live'
    : `the stream is live for ${move.seconds} s`;
}
