import { optionError } from '../../../option-error.ts';
import type { KnownDifference } from '../model/known.ts';
import { createSequences, type Offers } from '../moves/generate.ts';
import type { Move } from '../moves/move.ts';
import { noteDifference } from './note-difference.ts';
import { runOnce } from './run-once.ts';
import { movesOf, runKnown, runPath } from './run-path.ts';
import type { Search } from './search.ts';
import type { Side } from './sides.ts';
import { knowledgeOf, noteOutcome, type State } from './state.ts';

/** Which sequences are run, and how many. */
export interface SearchOptions {
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Runs only the sequence of a difference again, as a report names it. */
  path?: string;
  /** Differences that are accepted; their sequences are run first. */
  known?: readonly KnownDifference[];
  /** Operations after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  onProgress?: (operations: number, differences: number) => void;
}

/** What is compared: a target with a second one, or with mocks. */
type Compared = Pick<Search, 'target' | 'second'>;

/** Sequences in a row without a response, after which the target is given up. */
const mostUnknown = 10;
/** Differences that did not appear again, after which the search ends. */
const mostUnsteady = 100;

/** Runs sequence after sequence, and notes the differences, until the search is over. */
export async function findDifferences(
  search: Search,
  options: SearchOptions,
  state: State,
): Promise<void> {
  const { seed = 1, operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  const sequenceOf = createSequences(offersOf(search));
  if (options.path === undefined) {
    const begun = search.clock.now();
    await runKnown(search, options.known ?? [], sequenceOf, state);
    state.knownDuration = search.clock.now() - begun;
  }
  let unknownInARow = 0;
  for (const { path, moves } of sequencesOf(options.path, (number) => sequenceOf(seed, number))) {
    const sent = state.coverage.operations();
    options.onProgress?.(sent, state.found.length);
    if (sent >= operations) return;
    state.foundMost = state.found.length >= most;
    state.tooUnsteady = state.unsteady.length >= mostUnsteady;
    state.gaveUp = unknownInARow >= mostUnknown;
    state.timeRanOut = search.isOver();
    if (isCut(state) || search.shouldStop()) return;
    const origin = { seed, path, moves };
    if (path.includes(':')) {
      await runPath(search, origin, state);
      continue;
    }
    const outcome = await runOnce(search, moves, knowledgeOf(state));
    noteOutcome(outcome, state);
    unknownInARow = outcome.unknown === undefined ? 0 : unknownInARow + 1;
    await noteDifference(search, origin, outcome, state, knowledgeOf(state));
  }
}

/** Whether the search ends before it has sent what it was to send. */
function isCut({ foundMost, tooUnsteady, gaveUp, timeRanOut }: State): boolean {
  return foundMost || tooUnsteady || gaveUp || timeRanOut;
}

/** @throws TypeError, in a sentence, for a path with a step that its sequence does not have */
export function requireSteps(compared: Compared, seed: number, path: string | undefined): void {
  const [number, indexes] = path?.split(':') ?? [];
  if (indexes === undefined) return;
  const { length } = createSequences(offersOf(compared))(seed, Number(number));
  const missing = indexes.split(',').find((index) => Number(index) >= length);
  if (missing === undefined) return;
  throw optionError(
    TypeError,
    'path',
    `expected steps from 0 to ${length - 1}, which sequence ${number} has, got ${missing}`,
  );
}

/** The sequences of a search: without end, or the one that a path names. */
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

/** Which operations the sides can be asked for. */
export function offersOf({ target, second }: Compared): Offers {
  const sides: readonly Side[] = [target, ...(second ? [second] : [])];
  const providers = sides.map(({ service }) => service.provider);
  const encoders = providers.filter((provider) => 'broadcast' in provider);
  const isLive = encoders.length === providers.length;
  return {
    live: !isLive ? 'none' : encoders.every((encoder) => encoder.goLive) ? 'stop' : 'broadcast',
    origin: target.service.origin,
    otherKey: sides.every(({ service }) => service.other !== undefined),
  };
}
