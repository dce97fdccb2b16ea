import { redact } from '../../conformance/run/redact.ts';
import type { Dialect } from '../../interface/dialect.ts';
import type { ConnectionOptions } from '../target/connection.ts';
import type { Comparison, FoundDifference } from './comparison.ts';
import type { Clock, LeaveOut } from './run/run.ts';
import { createState, findDifferences, type SearchOptions } from './search/find-differences.ts';
import type { Search } from './search/run-once.ts';
import { createMocks, createSide } from './sides.ts';

/** A target, and a second API key of it, of another account. */
export interface ComparedTarget extends ConnectionOptions {
  otherKey?: string;
}

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ComparedTarget, SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: Dialect;
  /** A second target, instead of a mock. */
  other?: ComparedTarget;
  /** Known differences: the reason for each, by its signature. */
  known?: ReadonlyMap<string, string>;
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits; default a timer. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Requests that are not sent; default none. */
  leaveOut?: LeaveOut;
}

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const clock: Clock = { now: options.now ?? Date.now, pause: options.pause ?? pauseFor };
  const started = clock.now();
  const target = createSide('the target', options);
  const second = options.other && createSide('the second target', options.other);
  const sides = [target, ...(second ? [second] : [])];
  const unreachable = (
    await Promise.all(sides.map(({ connection }) => connection.preflight()))
  ).find((reason) => reason !== undefined);
  const { signal } = options;
  const begun = clock.now();
  const search: Search = {
    ...{ target, second, dialect: options.dialect, clock, mocks: createMocks(clock) },
    patience: target.connection.patience,
    shouldStop: () => signal?.aborted ?? false,
    isOver: () => clock.now() - begun >= (options.time ?? usualTime),
    sharedLists: new Set(),
    leaveOut: options.leaveOut,
  };
  const state = createState();
  if (unreachable === undefined) await findDifferences(search, options, state);
  const leftBehind = (
    await Promise.all(sides.map(({ connection }) => connection.cleanUp()))
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
      .toSorted((one, other) => weightOf(other) - weightOf(one)),
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

/** Milliseconds. */
const usualTime = 60_000;

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function withReason(one: FoundDifference, known: string | undefined): FoundDifference {
  return known === undefined ? one : { ...one, known };
}

/** How much a difference tells: statuses before bodies before headers, short sequences first. */
function weightOf({ found, transcript, known }: FoundDifference): number {
  const kind = found.where === 'status' ? 300 : found.where.startsWith('header') ? 100 : 200;
  return (known === undefined ? 1_000 : 0) + kind - transcript.length;
}
