import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { whenOverdue } from '../../conformance/target/read-target.ts';
import { readRefusals } from '../../interface/refusals.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { version } from '../../package.json' with { type: 'json' };
import type { ConnectionOptions } from '../target/connection.ts';
import type { Comparison, Difference } from './comparison.ts';
import type { Tally } from './differences.ts';
import type { Archive } from './replay.ts';
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

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal, now = Date.now, archive, dialect, other } = options;
  const target = createSide(options);
  const limits = { ...(signal && { signal }), ...(cleanUpSignal && { cleanUpSignal }) };
  const second = other && createSide({ ...limits, ...other });
  const sides = [target, ...(second ? [second] : [])];
  const started = now();
  const secrets = secretsIn(options);
  const comparison: Comparison = {
    format: 'livestream-mock/comparison',
    version: 2,
    tool: version,
    startedAt: new Date(started).toISOString(),
    duration: 0,
    ...describeSides(options),
    seed: options.seed ?? 1,
    withSessions: offersOf(sides).live !== 'none',
    differences: [],
    unseen: [],
    notReached: [],
    unsteady: {},
    steady: {},
    unconfirmed: 0,
    operations: 0,
    sequences: 0,
    byOperation: {},
    unanswered: 0,
    neverAnswered: [],
    unknownReasons: [],
    leftBehind: [],
  };
  const found: Tally = {
    comparison,
    byPlace: new Map(),
    unsteady: new Set(),
    answered: new Map(),
    tried: new Set(),
    secrets,
    apiKeys: [options.apiKey, other?.apiKey],
    cells: dialect && readRefusals(dialect.refusals ?? {}),
  };
  const work = async (): Promise<void> => {
    const clean = prepareCleaning(sides);
    Object.assign(comparison, redact(await findObstacle(sides, other?.file), secrets));
    // The streams made to try the target must not appear in the lists that are compared.
    await clean([]);
    if ((comparison.unreachable ?? comparison.withoutSessions) !== undefined) return;
    const context = startSearch([target, second], options, found);
    await (archive ? archive.replay(context) : search(context, options));
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

/** Every key that no report may show, also those that are almost right. */
function secretsIn({ apiKey, otherApiKey, other }: CompareOptions): string[] {
  return [apiKey, otherApiKey, other?.apiKey, other?.otherApiKey]
    .filter((key) => key !== undefined)
    .flatMap(secretsOf);
}

/** What the two sides are. */
function describeSides(
  options: CompareOptions,
): Pick<Comparison, 'sides' | 'compared' | 'skipped'> {
  const { other, dialect, dialectFile, archive, archiveFile = '' } = options;
  const baseUrl = redact(options.baseUrl, secretsIn(options));
  const describe = (name: string, words: string): ReturnType<typeof describeSides> => ({
    sides: ['the target', name],
    compared: [baseUrl, redact(words, secretsIn(options)).trimEnd()],
  });
  if (archive !== undefined) {
    const words = `${archiveFile}, of a mock with the world ${archive.world}`;
    return { ...describe('the archive', words), skipped: {} };
  }
  if (other !== undefined) return describe('the second target', other.baseUrl);
  if (dialect === undefined) return describe('the mock', 'without a dialect');
  const name = dialect.name === undefined ? [] : [JSON.stringify(dialect.name)];
  return describe('the mock', `with the dialect ${[...name, dialectFile ?? []].flat().join(', ')}`);
}

/** What the interface states: a search has seen all of it. */
const stated = ['createStream', 'setRecord', 'listSessionsOfStream'] as const;

/** Says what is known of the differences, and what is missing; nothing is where no search began. */
function conclude(found: Tally, { known = [], archive }: CompareOptions): void {
  const { comparison, answered, tried, secrets } = found;
  const { differences, unreachable, withoutSessions } = comparison;
  comparison.unknownReasons = redact(comparison.unknownReasons, secrets);
  for (const one of differences) {
    const accepted = known.find(({ difference }) => difference === one.place);
    if (accepted !== undefined) one.known = redact(accepted.reason, secrets);
  }
  const weightOf = (one: Difference): number => (one.known === undefined ? 1e9 : 0) + one.times;
  differences.sort((one, other) => weightOf(other) - weightOf(one));
  if ((unreachable ?? withoutSessions) !== undefined) return;
  const names = new Set([...(archive ? [] : stated), ...answered.keys()]);
  comparison.neverAnswered = [...names].filter((name) => answered.get(name) !== true);
  if (archive) return;
  for (const { difference, sequence } of known) {
    if (sequence === undefined || differences.some(({ place }) => place === difference)) continue;
    const list = tried.has(difference) ? comparison.unseen : comparison.notReached;
    list.push(redact(difference, secrets));
  }
}
