import { describeComparison, type Obstacle, secretsIn } from './describe-comparison.ts';
import { createWithoutKeys } from './equal/without-keys.ts';
import type { Comparison } from './model/comparison.ts';
import type { CompareOptions } from './options.ts';
import { prepareCleaning } from './run/clean.ts';
import type { Clock } from './run/run.ts';
import { findDifferences, offersOf, requireSteps } from './search/find-differences.ts';
import type { Search } from './search/search.ts';
import { createMocks, createSide, type Side } from './search/sides.ts';
import { createState } from './search/state.ts';

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves whatever the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal } = options;
  const target = createSide('the target', options);
  const second =
    options.other &&
    createSide('the second target', {
      ...(signal && { signal }),
      ...(cleanUpSignal && { cleanUpSignal }),
      ...options.other,
    });
  const { now = Date.now, pause = target.service.pause } = options;
  const clock: Clock = { now, pause };
  const started = clock.now();
  const compared = { target, second };
  const sides = [target, ...(second ? [second] : [])];
  requireSteps(compared, options.seed ?? 1, options.path);
  const state = createState();
  let obstacle: Obstacle = {};
  let leftBehind: string[] = [];
  try {
    const clean = prepareCleaning(sides.map(({ service }) => service));
    obstacle = await findObstacle(sides, options.other?.file);
    // The streams made to try the target must not appear in the lists that are compared.
    await clean([]);
    if (Object.keys(obstacle).length === 0) {
      const search = startSearch(compared, options, clock, () => state.unanswered > 0);
      await findDifferences(search, options, state);
    }
  } finally {
    leftBehind = (await Promise.all(sides.map((side) => side.cleanUp()))).flat();
  }
  return describeComparison(options, state, {
    ...{ started, duration: clock.now() - started, leftBehind, ...obstacle },
    sides: [target.name, second?.name ?? 'the mock'],
    withSessions: offersOf(compared).live !== 'none',
  });
}

/** Milliseconds. */
const usualTime = 60_000;
/** Milliseconds after the time of the search within which its last difference is confirmed. */
const longestEnd = 5_000;

/** A search whose time begins now. */
function startSearch(
  compared: Pick<Search, 'target' | 'second'>,
  options: CompareOptions,
  clock: Clock,
  mayNotRespond: Search['mayNotRespond'],
): Search {
  const begun = clock.now();
  const secrets = secretsIn(options);
  const isLate = (after: number): boolean =>
    clock.now() - begun >= (options.time ?? usualTime) + after;
  return {
    ...compared,
    ...{ clock, dialect: options.dialect, leaveOut: options.leaveOut },
    explains: compared.second === undefined && options.explain !== false,
    mocks: createMocks(clock),
    ...{ secrets, withoutKeys: createWithoutKeys(secrets) },
    patience: compared.target.service.patience,
    shouldStop: () => options.signal?.aborted === true || isLate(longestEnd),
    isOver: () => isLate(0),
    sharedLists: new Set(),
    mayNotRespond,
  };
}

/** Why nothing can be compared, or no session be made; nothing where all is well. */
async function findObstacle(sides: readonly Side[], secondFile?: string): Promise<Obstacle> {
  const ask = async (question: 'preflight' | 'trySource'): Promise<string | undefined> => {
    const [first, second] = await Promise.all(sides.map(({ service }) => service[question]()));
    return first ?? (second && asSecond(second, secondFile));
  };
  const unreachable = await ask('preflight');
  if (unreachable !== undefined) return { unreachable };
  const withoutSessions = await ask('trySource');
  return withoutSessions === undefined ? {} : { withoutSessions };
}

/** What is wrong with the second target; it names the file that has its addresses. */
function asSecond(reason: string, file = 'its options'): string {
  return reason
    .replace(/^The target/, 'The second target')
    .replaceAll('--base-url', `baseUrl in ${file}`)
    .replaceAll('--control-url', `controlUrl in ${file}`);
}
