import { resolveDialect } from '../../interface/dialect/resolve.ts';
import type { ArchiveLog } from '../../mocks/journal/har.ts';
import { headerSecrets } from '../../target/requests/extra-headers.ts';
import { secretsOf } from '../../target/requests/near-keys.ts';
import { whenOverdue } from '../../target/requests/scheduling.ts';
import { shorten } from '../../text/phrases.ts';
import { redact } from '../../text/redact.ts';
import { mapStrings } from '../../text/visible.ts';
import { type ConnectionOptions, connect, useTargets } from '../target-connection.ts';
import { type Comparison, type Difference, startComparison } from './comparison.ts';
import { replay } from './replay.ts';
import {
  type SearchOptions,
  searchAtRandom,
  startSearch,
  type Targets,
  thenCleanUp,
} from './search.ts';
import type { Tally } from './tally.ts';

/** What is compared, and how. Only `baseUrl` and `apiKey` of the target are required. */
export interface CompareOptions extends SearchOptions {
  /** The journal of a mock, whose requests are sent instead of random ones. */
  archive?: ArchiveLog;
  /** A second target, instead of a mock. */
  secondTarget?: ConnectionOptions;
  /** The file of the dialect, the archive or the second target, for reports and messages. */
  file?: string;
}

/**
 * Sends the same random sequences of operations to a target and to a mock, or to two targets, and
 * reports how they differ. It resolves no matter what the targets do.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { signal, cleanUpSignal, archive, dialect } = options;
  const target = connect(options);
  const second = options.secondTarget && { signal, cleanUpSignal, ...options.secondTarget };
  const targets: Targets = second ? [target, connect(second)] : [target];
  const startTime = target.now();
  const comparison = startComparison({
    ...describeSides(options),
    startedAt: new Date(startTime).toISOString(),
    seed: options.seed ?? 1,
    withSessions: targets.every(({ provider }) => 'broadcast' in provider),
  });
  const tally: Tally = {
    comparison,
    unsteady: new Set(),
    written: dialect ?? {},
    dialect: resolveDialect(dialect),
  };
  const work = async (): Promise<void> => {
    // The streams that this creates must not appear in the lists that are compared.
    if (await thenCleanUp(targets, () => areObstructed(targets, comparison))) return;
    const search = startSearch(targets, options, tally);
    await (archive ? replay(search, archive) : searchAtRandom(search, options));
  };
  comparison.leftBehind = await useTargets(targets, options, () =>
    Promise.race([work(), whenOverdue(signal)]),
  );
  comparison.interrupted = signal?.aborted === true;
  comparison.duration = target.now() - startTime;
  return conclude(tally, options);
}

/** Notes why nothing can be compared, or why no session can be made. Resolves to whether there is a reason. */
async function areObstructed(targets: Targets, comparison: Comparison): Promise<boolean> {
  for (const connection of targets) {
    comparison.unjudgeable = await connection.whyUnjudgeable();
    if (comparison.unjudgeable !== undefined) return true;
    comparison.providerFailure = await connection.tryProvider();
    if (comparison.providerFailure !== undefined) return true;
  }
  return false;
}

/** The names of both sides, and what is known about them. */
function describeSides({ baseUrl, archive, secondTarget, dialect, file }: CompareOptions) {
  const sides = (name: string, description: string) => {
    return { sides: ['the target', name], compared: [baseUrl, description] } as const;
  };
  if (archive !== undefined) {
    return sides('the archive', `${file}, of a mock with the world ${archive._livestream.world}`);
  }
  if (secondTarget !== undefined) return sides('the second target', secondTarget.baseUrl);
  if (dialect === undefined) return sides('the mock', 'without a dialect');
  return sides('the mock', `with the dialect ${file ?? dialect.name}`);
}

/** The longest text in a comparison, in characters. */
const longestText = 1_500;

/** The finished comparison, without keys. It marks known differences, and lists those that did not appear. */
function conclude(tally: Tally, options: CompareOptions) {
  const { secondTarget, known = [] } = options;
  // No report may show a key, nor one that is almost right. Half a key would not be found, so texts are cut last.
  // Requests that are still under way do not change this copy.
  const secrets = [options, secondTarget ?? []]
    .flat()
    .flatMap(({ apiKey, headers }) => [...secretsOf(apiKey), ...headerSecrets(headers)]);
  const unredacted = { comparison: tally.comparison, known };
  const { comparison, known: accepted } = mapStrings(redact(unredacted, secrets), (text) =>
    shorten(text, longestText),
  ) as typeof unredacted;
  const { differences, unseen } = comparison;
  for (const difference of differences) {
    const entry = accepted.find((known) => known.difference === difference.name);
    if (entry !== undefined) difference.known = entry.reason;
  }
  const rankOf = ({ known }: Difference): number => (known === undefined ? 0 : 1);
  return {
    ...comparison,
    differences: differences.toSorted(
      (left, right) => rankOf(left) - rankOf(right) || right.times - left.times,
    ),
    unsteady: tally.unsteady.size,
    unseen: unseen.filter((unseenName) => !differences.some(({ name }) => name === unseenName)),
  };
}
