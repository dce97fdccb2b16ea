import { redact } from '../../conformance/run/redact.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { Behaviours } from '../../interface/silent.ts';
import type { ConnectionOptions } from '../target/connection.ts';
import type { Comparison, FoundDifference, TranscriptStep } from './comparison.ts';
import { type Contestant, createContestant } from './contestants.ts';
import { createSequences, type Reach } from './moves/generate.ts';
import type { Move } from './moves/move.ts';
import type { Clock, LeaveOut } from './run/run.ts';
import type { Difference, Outcome } from './run/run-sequence.ts';
import { type Arena, fight } from './search/arena.ts';
import { createCoverage } from './search/coverage.ts';
import { describeMove } from './search/describe-move.ts';
import { type Investigated, investigate } from './search/investigate.ts';
import { covers, type Signature, signatureOf, writeSignature } from './search/signature.ts';

/** A target, and a second API key of it, of another account. */
export interface ComparedTarget extends ConnectionOptions {
  otherKey?: string;
}

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ComparedTarget {
  /** The dialect of the mock that the target is compared with. */
  dialect?: Dialect;
  /** A second target, instead of a mock. */
  other?: ComparedTarget;
  /** Known differences: the reason for each, by its signature. */
  known?: ReadonlyMap<string, string>;
  /** The same seed gives the same sequences; default 1. */
  seed?: number;
  /** Runs only the sequence of a difference again, as {@link FoundDifference} names it. */
  path?: string;
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Requests to each side after which no further sequence begins; default no bound. */
  operations?: number;
  /** Differences after which the search ends; default 100. */
  most?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits; default a timer. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Requests that are not sent; default none. */
  leaveOut?: LeaveOut;
  onProgress?: (operations: number, differences: number) => void;
}

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const clock: Clock = { now: options.now ?? Date.now, pause: options.pause ?? pauseFor };
  const started = clock.now();
  const target = createContestant('the target', options);
  const second = options.other && createContestant('the second target', options.other);
  const contestants = [target, ...(second ? [second] : [])];
  const unreachable = (
    await Promise.all(contestants.map(({ connection }) => connection.preflight()))
  ).find((reason) => reason !== undefined);
  const { signal } = options;
  const begun = clock.now();
  const arena: Arena = {
    ...{ target, second, dialect: options.dialect, clock },
    patience: target.connection.patience,
    shouldStop: () => signal?.aborted ?? false,
    isOver: () => clock.now() - begun >= (options.time ?? usualTime),
    crowded: new Set(),
    leaveOut: options.leaveOut,
  };
  const state = createState();
  if (unreachable === undefined) await search(arena, options, state);
  const leftBehind = (
    await Promise.all(contestants.map(({ connection }) => connection.cleanUp()))
  ).flat();
  const known = options.known ?? new Map<string, string>();
  const secrets = secretsIn(options);
  const seen = new Set(state.found.map(({ signature }) => signature));
  return {
    format: 'livestream-mock/comparison',
    version: 1,
    startedAt: new Date(started).toISOString(),
    duration: clock.now() - started,
    sides: [target.name, second?.name ?? 'the mock'],
    seed: options.seed ?? 1,
    differences: state.found
      .map((one) => redact(withReason(one, known.get(one.signature)), secrets))
      .toSorted((one, other) => tellingOf(other) - tellingOf(one)),
    unseen: [...known.keys()].filter((signature) => !seen.has(signature)),
    unsteady: state.unsteady.length,
    unknown: state.unknown,
    coverage: state.coverage.read(),
    ...(unreachable !== undefined && { unreachable: redact(unreachable, secrets) }),
    ...(signal?.aborted && { interrupted: true as const }),
    leftBehind: redact(leftBehind, secrets),
  };
}

/** Every key that no report may show, also as it is sent with another scheme. */
function secretsIn({ apiKey, otherKey, other }: CompareOptions): string[] {
  return [apiKey, otherKey, other?.apiKey, other?.otherKey].filter((key) => key !== undefined);
}

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What the search has found so far. */
interface State {
  readonly found: FoundDifference[];
  readonly unsteady: Signature[];
  unknown: number;
  /** Rows of the mock that were changed to do as the target does. */
  rows: Partial<Behaviours>;
  readonly coverage: ReturnType<typeof createCoverage>;
}

function createState(): State {
  return { found: [], unsteady: [], unknown: 0, rows: {}, coverage: createCoverage() };
}

/** Milliseconds. */
const usualTime = 60_000;

/** Sequences in a row without a response, after which the target is given up. */
const mostUnknown = 10;

async function search(arena: Arena, options: CompareOptions, state: State): Promise<void> {
  const { seed = 1, operations = Number.POSITIVE_INFINITY, most = 100 } = options;
  const sequenceOf = createSequences(reachOf(arena));
  let unknownInARow = 0;
  for (const { path, moves } of chosen(options.path, (number) => sequenceOf(seed, number))) {
    const { operations: sent } = state.coverage.read();
    options.onProgress?.(sent, state.found.length);
    const isOver = sent >= operations || state.found.length >= most || arena.isOver();
    if (isOver || arena.shouldStop() || unknownInARow >= mostUnknown) return;
    const outcome = await fight(arena, moves, knowledgeOf(state));
    if (outcome.unknown === undefined) {
      state.coverage.note(outcome);
      unknownInARow = 0;
    } else {
      state.unknown += 1;
      unknownInARow += 1;
    }
    if (outcome.difference !== undefined) await pursue(arena, path, moves, outcome, state);
  }
}

/** The sequences of a search: without end, or only the moves that a path names. */
function* chosen(
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

function knowledgeOf({ found, unsteady, rows }: State) {
  const known = [...found.map((one) => one.found), ...unsteady];
  const isMasked = (difference: Difference): boolean => {
    const signature = signatureOf(difference);
    return known.some((one) => covers(one, signature));
  };
  return { isMasked, rows };
}

async function pursue(
  arena: Arena,
  path: string,
  moves: readonly Move[],
  { difference, steps }: Outcome,
  state: State,
): Promise<void> {
  if (difference === undefined) return;
  const signature = signatureOf(difference);
  const until = moves.slice(0, moves.indexOf(steps.at(-1)?.move as Move) + 1);
  const investigated = await investigate(arena, until, signature, knowledgeOf(state));
  if (investigated === undefined) {
    state.unsteady.push(signature);
    return;
  }
  state.found.push(report(path, investigated));
  const { line } = investigated;
  // What the dialect says already, it says of other requests too.
  const isNew = line !== undefined && arena.dialect?.rows[line.row] === undefined;
  if (isNew) state.rows = { ...state.rows, [line.row]: line.value };
}

function report(path: string, investigated: Investigated): FoundDifference {
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

function withReason(one: FoundDifference, known: string | undefined): FoundDifference {
  return known === undefined ? one : { ...one, known };
}

/** How much a difference tells: statuses before bodies before headers, short sequences first. */
function tellingOf({ found, transcript, known }: FoundDifference): number {
  const kind = found.where === 'status' ? 300 : found.where.startsWith('header') ? 100 : 200;
  return (known === undefined ? 1_000 : 0) + kind - transcript.length;
}

function reachOf({ target, second }: Arena): Reach {
  const contestants: readonly Contestant[] = [target, ...(second ? [second] : [])];
  const providers = contestants.map(({ service }) => service.provider);
  const encoders = providers.filter((provider) => 'broadcast' in provider);
  const isLive = encoders.length === providers.length;
  return {
    live: !isLive ? 'none' : encoders.every((encoder) => encoder.goLive) ? 'stop' : 'broadcast',
    otherKey: contestants.every(({ service }) => service.otherKey !== undefined),
  };
}
