import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { ConnectionOptions } from '../target/connection.ts';
import type { Clock, LeaveOut } from './run/run.ts';
import type { Comparison, FoundDifference } from './search/comparison.ts';
import {
  findDifferences,
  offersOf,
  requireSteps,
  type SearchOptions,
} from './search/find-differences.ts';
import { type KnownDifference, reasonToWrite } from './search/known.ts';
import type { Search } from './search/run-once.ts';
import { createMocks, createSide } from './search/sides.ts';
import { accepts } from './search/signature.ts';
import { createState, type State } from './search/state.ts';
import { withKeyVariable } from './search/transcript.ts';

/** A target, and a second API key of it, of another account. */
export interface ComparedTarget extends ConnectionOptions {
  otherKey?: string;
  /** The file that describes it, for messages. */
  file?: string;
}

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ComparedTarget, SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: Dialect;
  /** The file of the dialect, for the report. */
  dialectFile?: string;
  /** A second target, instead of a mock. */
  other?: ComparedTarget;
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
  const { signal, path, seed = 1 } = options;
  let begun = started;
  const isLate = (after: number): boolean =>
    clock.now() - begun >= (options.time ?? usualTime) + after;
  const secrets = secretsIn(options);
  const search: Search = {
    secrets,
    ...{ target, second, dialect: options.dialect, clock, mocks: createMocks(clock) },
    patience: target.connection.patience,
    shouldStop: () => signal?.aborted || isLate(longestEnd),
    isOver: () => isLate(0),
    sharedLists: new Set(),
    leaveOut: options.leaveOut,
  };
  requireSteps(search, seed, path);
  const ask = async (question: 'preflight' | 'tryGoingLive'): Promise<string | undefined> => {
    const reasons = sides.map(({ connection }) => connection[question]());
    const [reason, other] = await Promise.all(reasons);
    return reason ?? (other && asSecond(other, options.other?.file));
  };
  const unreachable = await ask('preflight');
  const withoutSessions = unreachable === undefined ? await ask('tryGoingLive') : undefined;
  begun = clock.now();
  const state = createState();
  const canBegin = (unreachable ?? withoutSessions) === undefined;
  if (canBegin) {
    await findDifferences(search, options, state);
  }
  const leftBehind = (
    await Promise.all(sides.map(({ connection }) => connection.cleanUp()))
  ).flat();
  const known = options.known ?? [];
  return {
    format: 'livestream-mock/comparison',
    version: 1,
    tool: version,
    startedAt: new Date(started).toISOString(),
    duration: clock.now() - started,
    sides: [target.name, second?.name ?? 'the mock'],
    compared: redact(comparedIn(options), secrets),
    seed,
    differences: state.found
      .map((one) => withKeyVariables(redact(withReason(one, known), secrets)))
      .toSorted((one, other) => weightOf(other) - weightOf(one)),
    ...missingOf(canBegin && path === undefined ? known : [], state),
    unsteady: state.unsteady.length,
    unconfirmed: state.unconfirmed,
    unknown: state.unknown,
    unknownReasons: redact([...state.unknownReasons], secrets),
    timeRanOut: state.timeRanOut,
    gaveUp: state.gaveUp,
    pathCutShort: state.pathCutShort,
    withSessions: offersOf(search).live !== 'none',
    coverage: state.coverage.read(),
    ...(unreachable !== undefined && { unreachable: redact(unreachable, secrets) }),
    ...(withoutSessions !== undefined && { withoutSessions: redact(withoutSessions, secrets) }),
    ...(signal?.aborted && { interrupted: true as const }),
    leftBehind: redact(leftBehind, secrets),
  };
}

/** What is wrong with the second target; it names the file that has its addresses. */
function asSecond(reason: string, file = 'its options'): string {
  return reason
    .replace(/^The target/, 'The second target')
    .replaceAll('--base-url', `baseUrl in ${file}`)
    .replaceAll('--control-url', `controlUrl in ${file}`);
}

/** The known differences that did not appear. */
function missingOf(
  known: readonly KnownDifference[],
  { found, gone }: State,
): Pick<Comparison, 'unseen' | 'notReached'> {
  const missing = known
    .map(({ signature }) => signature)
    .filter((signature) => !found.some((one) => accepts(signature, one.found)));
  return {
    unseen: missing.filter((signature) => gone.includes(signature)),
    notReached: missing.filter((signature) => !gone.includes(signature)),
  };
}

/** What the two sides are. */
function comparedIn({ baseUrl, other, dialect, dialectFile }: CompareOptions): [string, string] {
  if (other !== undefined) return [baseUrl, other.baseUrl];
  if (dialect === undefined) return [baseUrl, 'without a dialect'];
  const names = [
    ...(dialect.name === undefined ? [] : [JSON.stringify(dialect.name)]),
    ...(dialectFile === undefined ? [] : [dialectFile]),
  ];
  return [baseUrl, `with the dialect ${names.join(', ')}`.trimEnd()];
}

/** Every key that no report may show, also those that are almost right. */
function secretsIn({ apiKey, otherKey, other }: CompareOptions): string[] {
  return [apiKey, otherKey, other?.apiKey, other?.otherKey]
    .filter((key) => key !== undefined)
    .flatMap(secretsOf);
}

/** Milliseconds. */
const usualTime = 60_000;
/** Milliseconds after the time of the search within which its last difference is confirmed. */
const longestEnd = 5_000;

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A difference without keys, with why it is accepted, or with the entry that would accept it. */
function withReason(one: FoundDifference, known: readonly KnownDifference[]): FoundDifference {
  const { signature, found, seed, path } = one;
  const accepted =
    known.find((entry) => entry.signature === signature) ??
    known.find((entry) => accepts(entry.signature, found));
  if (accepted !== undefined) return { ...one, known: accepted.reason };
  return { ...one, entry: { signature, reason: reasonToWrite, seed, path } };
}

/** A difference whose requests can be pasted into a shell. */
function withKeyVariables(one: FoundDifference): FoundDifference {
  const steps = one.transcript.steps.map((step) =>
    step.request === undefined ? step : { ...step, request: withKeyVariable(step.request) },
  );
  return { ...one, transcript: { ...one.transcript, steps } };
}

/** How much a difference tells: statuses before bodies before headers, short sequences first. */
function weightOf({ found, transcript, known }: FoundDifference): number {
  const kind = found.where === 'status' ? 300 : found.where.startsWith('header') ? 100 : 200;
  return (known === undefined ? 1_000 : 0) + kind - transcript.steps.length;
}
