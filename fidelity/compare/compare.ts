import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { whenOverdue } from '../../conformance/target/read-target.ts';
import { readRefusals } from '../../interface/refusals.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { ConnectionOptions } from '../target/connection.ts';
import type { Comparison, Difference } from './comparison.ts';
import { count, type Found, nothingFound } from './differences.ts';
import { type Archive, replay } from './replay.ts';
import { type Search, type SearchOptions, search } from './search.ts';
import { type Offers, sequences } from './sequences.ts';
import { createMocks, createSide, prepareCleaning, type Side } from './sides.ts';

/** A target, and a second API key of it, of another account. */
export interface ComparedTarget extends ConnectionOptions {
  otherApiKey?: string;
  /** The file that describes it, for messages. */
  file?: string;
}

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ComparedTarget, SearchOptions {
  /** The dialect of the mock that the target is compared with. */
  dialect?: NonNullable<MockOptions['dialect']>;
  /** The file of the dialect, for the report. */
  dialectFile?: string;
  /** The journal of a mock, which is sent instead of random sequences, and compared with. */
  archive?: Archive;
  /** The file of the archive, for the report. */
  archiveFile?: string;
  /** A second target, instead of a mock. */
  other?: ComparedTarget;
  /** Milliseconds after which no further sequence begins; default 60,000. */
  time?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
}

/** What keeps two services from being compared. */
type Obstacle = Pick<Comparison, 'unreachable' | 'withoutSessions'>;

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal, now = Date.now, archive } = options;
  const target = createSide('the target', options);
  const limits = { ...(signal && { signal }), ...(cleanUpSignal && { cleanUpSignal }) };
  const second = options.other && createSide('the second target', { ...limits, ...options.other });
  const started = now();
  const sides = [target, ...(second ? [second] : [])];
  const found = nothingFound();
  let obstacle: Obstacle = {};
  let leftBehind: string[] = [];
  const work = async (): Promise<void> => {
    const clean = prepareCleaning(sides);
    obstacle = await findObstacle(sides, options.other?.file);
    // The streams made to try the target must not appear in the lists that are compared.
    await clean([]);
    if (Object.keys(obstacle).length > 0) return;
    const context = startSearch(target, second, options);
    await (archive ? replay(context, archive, found) : search(context, options, found));
  };
  try {
    await Promise.race([work(), whenOverdue(signal)]);
  } catch (error) {
    if (options.onFault === undefined) throw error;
    options.onFault(error);
  } finally {
    leftBehind = (await Promise.all(sides.map((side) => side.cleanUp()))).flat();
    for (const side of sides) side.target.gate.throwRefused();
  }
  const secrets = secretsIn(options);
  return {
    format: 'livestream-mock/comparison',
    version: 2,
    tool: version,
    startedAt: new Date(started).toISOString(),
    duration: now() - started,
    sides: [target.name, second?.name ?? (archive ? 'the archive' : 'the mock')],
    compared: redact(comparedIn(options), secrets),
    seed: options.seed ?? 1,
    withSessions: offersOf(sides).live !== 'none',
    ...describeFound(options, found, Object.keys(obstacle).length === 0),
    ...redact(obstacle, secrets),
    ...(signal?.aborted && { interrupted: true as const }),
    leftBehind: redact(leftBehind, secrets),
  };
}

/** Milliseconds. */
const usualTime = 60_000;
/** Milliseconds after the time of the search within which its last difference is confirmed. */
const longestEnd = 5_000;

/** A search whose time begins now. */
function startSearch(target: Side, second: Side | undefined, options: CompareOptions): Search {
  const { now = Date.now, pause = target.pause, dialect, other } = options;
  const begun = now();
  const isLate = (after: number): boolean => now() - begun >= (options.time ?? usualTime) + after;
  return {
    target,
    second,
    mocks: createMocks({ now, ...(dialect && { dialect }) }),
    arbitrary: sequences(offersOf(second === undefined ? [target] : [target, second])),
    clock: { now, pause },
    shouldStop: () => options.signal?.aborted === true || isLate(longestEnd),
    isOver: () => isLate(0),
    sharedLists: new Set(),
    reporting: {
      secrets: secretsIn(options),
      apiKeys: [options.apiKey, other?.apiKey],
      ...(dialect && { cells: readRefusals(dialect.refusals ?? {}) }),
    },
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
async function findObstacle(sides: readonly Side[], secondFile?: string): Promise<Obstacle> {
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

/** Every key that no report may show, also those that are almost right. */
function secretsIn({ apiKey, otherApiKey, other }: CompareOptions): string[] {
  return [apiKey, otherApiKey, other?.apiKey, other?.otherApiKey]
    .filter((key) => key !== undefined)
    .flatMap(secretsOf);
}

/** What the two sides are. */
function comparedIn(options: CompareOptions): [string, string] {
  const { baseUrl, other, dialect, dialectFile, archive, archiveFile = '' } = options;
  if (archive !== undefined) {
    return [baseUrl, `${archiveFile}, of a mock with the world ${archive.world.world}`];
  }
  if (other !== undefined) return [baseUrl, other.baseUrl];
  if (dialect === undefined) return [baseUrl, 'without a dialect'];
  const names = [
    ...(dialect.name === undefined ? [] : [JSON.stringify(dialect.name)]),
    ...(dialectFile === undefined ? [] : [dialectFile]),
  ];
  return [baseUrl, `with the dialect ${names.join(', ')}`.trimEnd()];
}

/** What the interface states: a search has seen all of it. */
const stated = ['createStream', 'setRecord', 'listSessionsOfStream'] as const;

/** What a search found; a comparison that an obstacle kept from it has no known differences to miss. */
function describeFound(options: CompareOptions, found: Found, hasBegun: boolean) {
  const secrets = secretsIn(options);
  const isRandom = hasBegun && options.archive === undefined;
  const known = new Map(options.known?.map(({ difference, reason }) => [difference, reason]));
  const counted = [...found.differences.values()];
  const places = new Set(counted.map(({ place }) => place));
  const missing = (options.known ?? []).flatMap(({ difference, sequence }) =>
    isRandom && sequence !== undefined && !places.has(difference) ? difference : [],
  );
  const neverAnswered = [...(isRandom ? stated : []), ...found.answered.keys()].filter((name) =>
    name === 'createStream' ? !found.hasCreated : found.answered.get(name) !== true,
  );
  const differences = counted.map(({ operation: _, ...one }): Difference => {
    const reason = known.get(one.place);
    return { ...one, ...(reason !== undefined && { known: redact(reason, secrets) }) };
  });
  const weightOf = ({ known: reason, times }: Difference): number =>
    (reason === undefined ? 1e9 : 0) + times;
  return {
    differences: differences.toSorted((one, other) => weightOf(other) - weightOf(one)),
    unseen: redact(
      missing.filter((one) => found.tried.has(one)),
      secrets,
    ),
    notReached: redact(
      missing.filter((one) => !found.tried.has(one)),
      secrets,
    ),
    unsteady: countEach([...found.unsteady.values()]),
    steady: countEach(counted.map(({ operation }) => operation)),
    unconfirmed: found.unconfirmed,
    operations: found.operations,
    sequences: found.sequences,
    byOperation: found.byOperation,
    unanswered: found.unanswered,
    neverAnswered: hasBegun ? [...new Set(neverAnswered)] : [],
    unknownReasons: redact([...found.unknownReasons], secrets),
    ...(found.end !== undefined && { end: found.end }),
    ...(options.archive && { skipped: found.skipped }),
  };
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) count(counts, name);
  return counts;
}
