import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { whenOverdue } from '../../conformance/target/read-target.ts';
import { readRefusals } from '../../interface/refusals.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { ConnectionOptions } from '../connection.ts';
import type { Archive } from './archive.ts';
import type { Comparison, Difference } from './comparison.ts';
import type { Tally } from './differences.ts';
import { replay } from './replay.ts';
import { type Search, type SearchOptions, search } from './search.ts';
import { type Offers, sequences } from './sequences.ts';
import { createMocks, createSide, type Side, thenCleanUp } from './sides.ts';

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ConnectionOptions, SearchOptions {
  /** Of another account of the target. */
  otherApiKey?: string;
  /** The dialect of the mock that the target is compared with. */
  dialect?: NonNullable<MockOptions['dialect']>;
  /** The journal of a mock, which is sent instead of random sequences, and compared with. */
  archive?: Archive;
  /** A second target, instead of a mock. */
  other?: ConnectionOptions;
  /** The file of the dialect, the archive or the second target, for reports and messages. */
  file?: string;
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
}

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal, now = Date.now, archive, other } = options;
  const target = createSide(options);
  const limits = { ...(signal && { signal }), ...(cleanUpSignal && { cleanUpSignal }) };
  const second = other && createSide({ ...limits, ...other });
  const sides = [target, ...(second ? [second] : [])];
  const started = now();
  const found = startTally(options, sides);
  const { comparison, secrets } = found;
  comparison.startedAt = new Date(started).toISOString();
  const work = async (): Promise<void> => {
    // The streams made to try the target must not appear in the lists that are compared.
    const obstacle = await thenCleanUp(sides, () => findObstacle(sides, options.file));
    Object.assign(comparison, redact(obstacle, secrets));
    if (isObstructed(comparison)) return;
    const context = startSearch([target, second], options, found);
    await (archive ? replay(context, archive) : search(context, options));
  };
  try {
    await Promise.race([work(), whenOverdue(signal)]);
  } catch (error) {
    if (options.onFault === undefined) throw error;
    options.onFault(error);
  } finally {
    const left = (await Promise.all(sides.map((side) => side.cleanUp()))).flat();
    comparison.leftBehind = redact(left, secrets);
    for (const side of sides) side.target.gate.throwRefused();
  }
  conclude(found, options);
  if (signal?.aborted) comparison.interrupted = true;
  // What was under way still goes on.
  return structuredClone({ ...comparison, duration: now() - started });
}

/** What the interface states: a search has seen all of it. */
const stated = { createStream: 0, setRecord: 0, listSessionsOfStream: 0 };

/** Nothing is found yet. */
function startTally(options: CompareOptions, sides: readonly Side[]): Tally {
  const { apiKey, otherApiKey, other, archive, dialect, known = [] } = options;
  // No report may show a key, nor one that is almost right.
  const secrets = [apiKey, otherApiKey, other?.apiKey]
    .filter((key) => key !== undefined)
    .flatMap(secretsOf);
  const expected = archive ? [] : known.filter(({ sequence }) => sequence !== undefined);
  const comparison: Comparison = {
    format: 'livestream-mock/comparison',
    version: 2,
    tool: version,
    startedAt: '',
    duration: 0,
    sides: ['the target', nameOfSecond(options)],
    compared: redact([options.baseUrl, describeSecond(options)] as const, secrets),
    seed: options.seed ?? 1,
    withSessions: offersOf(sides).live !== 'none',
    differences: [],
    unseen: [],
    unsteady: 0,
    unchecked: 0,
    operations: 0,
    sequences: 0,
    byOperation: archive ? {} : { ...stated },
    unanswered: 0,
    unknownReasons: [],
    ...(archive && { skipped: {} }),
    leftBehind: [],
  };
  return {
    comparison,
    byPlace: new Map(),
    unsteady: new Set(),
    unchecked: new Set(expected.map(({ difference }) => difference)),
    secrets,
    apiKeys: [apiKey, other?.apiKey],
    cells: dialect && readRefusals(dialect.refusals ?? {}),
  };
}

/** Milliseconds. */
const usualTime = 60_000;
/** Milliseconds after the time of the search within which its last difference is confirmed. */
const longestEnd = 5_000;

/** A search whose time begins now. */
function startSearch(
  [target, second]: readonly [Side, Side | undefined],
  options: CompareOptions,
  found: Tally,
): Search {
  const { now = Date.now, pause = target.pause, dialect, time = usualTime } = options;
  const begun = now();
  const isLate = (after: number): boolean => now() - begun >= time + after;
  return {
    target,
    second,
    mocks: createMocks({ now, ...(dialect && { dialect }) }),
    arbitrary: sequences(offersOf(second === undefined ? [target] : [target, second])),
    clock: { now, pause },
    shouldStop: () => options.signal?.aborted === true || isLate(longestEnd),
    isOver: () => isLate(0),
    sharedLists: new Set(),
    found,
  };
}

/** Which operations all sides can be asked for. */
function offersOf(sides: readonly Side[]): Offers {
  const encoders = sides.map(({ provider }) => provider).filter((one) => 'broadcast' in one);
  const isLive = encoders.length === sides.length;
  return {
    live: !isLive ? 'none' : encoders.every(({ goLive }) => goLive) ? 'stop' : 'broadcast',
    origin: sides[0]?.origin ?? '',
  };
}

/** Why nothing can be compared, or no session be made; nothing where all is well. */
async function findObstacle(
  sides: readonly Side[],
  secondFile?: string,
): Promise<Pick<Comparison, 'unreachable' | 'withoutSessions'>> {
  const ask = async (
    question: (side: Side) => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    const [first, second] = await Promise.all(sides.map(question));
    return first ?? (second && asSecond(second, secondFile));
  };
  const unreachable = await ask((side) => side.preflight(side.other));
  if (unreachable !== undefined) return { unreachable };
  const withoutSessions = await ask((side) => side.trySource());
  return withoutSessions === undefined ? {} : { withoutSessions };
}

/** What is wrong with the second target; it names the file that has its addresses. */
function asSecond(reason: string, file = 'its options'): string {
  return reason
    .replace(/^The target/, 'The second target')
    .replaceAll('--base-url', `baseUrl in ${file}`)
    .replaceAll('--control-url', `controlUrl in ${file}`);
}

function nameOfSecond({ archive, other }: CompareOptions): string {
  if (archive !== undefined) return 'the archive';
  return other === undefined ? 'the mock' : 'the second target';
}

/** What the target is compared with. */
function describeSecond(options: CompareOptions): string {
  const { other, dialect, archive, file } = options;
  if (archive !== undefined)
    return `${file}, of a mock with the world ${archive._livestream.world}`;
  if (other !== undefined) return other.baseUrl;
  if (dialect === undefined) return 'without a dialect';
  const name = dialect.name && JSON.stringify(dialect.name);
  return ['with the dialect', name, file].filter((word) => word !== undefined).join(' ');
}

/** Whether no search can begin. */
function isObstructed({ unreachable, withoutSessions }: Comparison): boolean {
  return (unreachable ?? withoutSessions) !== undefined;
}

/** Says which differences are known, and which of those no longer appear. */
function conclude(found: Tally, { known = [], archive }: CompareOptions): void {
  const { comparison, unsteady, unchecked, byPlace, secrets } = found;
  const { differences } = comparison;
  for (const one of differences) {
    const accepted = known.find(({ difference }) => difference === one.place);
    if (accepted !== undefined) one.known = redact(accepted.reason, secrets);
  }
  const weightOf = (one: Difference): number => (one.known === undefined ? 1e9 : 0) + one.times;
  differences.sort((one, other) => weightOf(other) - weightOf(one));
  if (isObstructed(comparison)) return;
  const isFound = (place: string): boolean =>
    byPlace.has(place) || differences.some((one) => one.place === place);
  comparison.unsteady = unsteady.size;
  comparison.unchecked = [...unchecked].filter((place) => !isFound(place)).length;
  if (archive !== undefined) return;
  comparison.unseen = known
    .filter(({ sequence }) => sequence !== undefined)
    .map(({ difference }) => difference)
    .filter((place) => !isFound(place) && !unchecked.has(place))
    .map((place) => redact(place, secrets));
}
