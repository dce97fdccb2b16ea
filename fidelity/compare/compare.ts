import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { whenOverdue } from '../../conformance/target/pacing.ts';
import { version } from '../../package.json' with { type: 'json' };
import { type ConnectionOptions, connect, type TargetConnection } from '../connection.ts';
import type { Archive } from './archive.ts';
import { type Comparison, type Difference, isObstructed } from './comparison.ts';
import type { Tally } from './differences.ts';
import type { Two } from './records.ts';
import { replay } from './replay.ts';
import { offersOf, type SearchOptions, search, startSearch } from './search.ts';
import { thenCleanUp } from './sides.ts';

/** What is compared, and how. Only the target's `baseUrl` and `apiKey` are required. */
export interface CompareOptions extends ConnectionOptions, SearchOptions {
  /** The journal of a mock, which is sent instead of random sequences, and compared with. */
  archive?: Archive;
  /** A second target, instead of a mock. */
  other?: ConnectionOptions;
  /** The file of the dialect, the archive or the second target, for reports and messages. */
  file?: string;
}

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal, now = Date.now, archive, other } = options;
  const target = connect(options);
  const limits = { ...(signal && { signal }), ...(cleanUpSignal && { cleanUpSignal }) };
  const second = other && connect({ ...limits, ...other });
  const sides = second === undefined ? ([target] as const) : ([target, second] as const);
  const started = now();
  const found = startTally(options, started);
  const { comparison } = found;
  comparison.withSessions = offersOf(sides).live !== 'none';
  const work = async (): Promise<void> => {
    // The streams made to try the target must not appear in the lists that are compared.
    const obstacle = await thenCleanUp(sides, () => findObstacle(sides));
    Object.assign(comparison, obstacle);
    if (isObstructed(comparison)) return;
    const context = startSearch(sides, options, found);
    await (archive ? replay(context, archive) : search(context, options));
  };
  try {
    await Promise.race([work(), whenOverdue(signal)]);
  } catch (error) {
    if (options.onFault === undefined) throw error;
    options.onFault(error);
  } finally {
    comparison.leftBehind = (await Promise.all(sides.map((side) => side.cleanUp()))).flat();
    for (const side of sides) side.target.gate.throwRefused();
  }
  conclude(found, options);
  if (signal?.aborted) comparison.interrupted = true;
  // What was under way still goes on, and changes no copy.
  return redact({ ...comparison, duration: now() - started }, found.secrets);
}

/** Nothing is found yet. */
function startTally(options: CompareOptions, started: number): Tally {
  const { baseUrl, apiKey, other, archive, dialect, seed = 1 } = options;
  const [name, description] = describeSecond(options);
  return {
    comparison: {
      format: 'livestream-mock/comparison',
      version: 3,
      tool: version,
      startedAt: new Date(started).toISOString(),
      duration: 0,
      sides: ['the target', name],
      compared: [baseUrl, description],
      seed,
      withSessions: false,
      differences: [],
      unseen: [],
      unsteady: 0,
      operations: 0,
      sequences: 0,
      // A search has seen all that the interface states.
      byOperation: archive ? {} : { createStream: 0, setRecord: 0, listSessionsOfStream: 0 },
      unanswered: 0,
      unknownReasons: [],
      ...(archive && { skipped: {} }),
      leftBehind: [],
    },
    byPlace: new Map(),
    unsteady: new Set(),
    // No report may show a key, nor one that is almost right.
    secrets: [apiKey, ...(other ? [other.apiKey] : [])].flatMap(secretsOf),
    refusals: dialect?.refusals ?? {},
  };
}

/** Why nothing can be compared, or no session be made; nothing where all is well. */
async function findObstacle(
  sides: readonly TargetConnection[],
): Promise<Pick<Comparison, 'unreachable' | 'withoutSessions'>> {
  for (const side of sides) {
    const subject = side === sides[0] ? '' : 'The second target: ';
    const unreachable = await side.preflight();
    if (unreachable !== undefined) return { unreachable: subject + unreachable };
    const withoutSessions = await side.trySource();
    if (withoutSessions !== undefined) return { withoutSessions: subject + withoutSessions };
  }
  return {};
}

/** What the target is compared with: its name, and what is known of it. */
function describeSecond({ archive, other, dialect, file }: CompareOptions): Two<string> {
  if (archive !== undefined) {
    return ['the archive', `${file}, of a mock with the world ${archive._livestream.world}`];
  }
  if (other !== undefined) return ['the second target', other.baseUrl];
  if (dialect === undefined) return ['the mock', 'without a dialect'];
  return ['the mock', `with the dialect ${file ?? dialect.name}`];
}

/** Says which differences are known, and which of those no longer appear. */
function conclude({ comparison, unsteady }: Tally, { known = [] }: CompareOptions): void {
  const { differences, unseen } = comparison;
  for (const one of differences) {
    const accepted = known.find(({ difference }) => difference === one.place);
    if (accepted !== undefined) one.known = accepted.reason;
  }
  const weightOf = (one: Difference): number => (one.known === undefined ? 1e9 : 0) + one.times;
  differences.sort((one, other) => weightOf(other) - weightOf(one));
  comparison.unsteady = unsteady.size;
  comparison.unseen = unseen.filter((place) => !differences.some((one) => one.place === place));
}
