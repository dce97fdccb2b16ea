import type { BenchRun } from './bench-run.ts';
import { type Contestant, startContestant } from './contestant.ts';
import { type Load, requestsPerSecond } from './load.ts';
import type { Server } from './servers.ts';
import { median } from './statistics.ts';
import type { OperationName } from './work.ts';

/** Median requests a second of each server and operation; none where it cannot do it. */
export interface Rates {
  of(contestant: Contestant, operation: OperationName): number | undefined;
  /** Why a server is missing, or an operation of it. */
  readonly failures: readonly string[];
}

/** Loads servers in turn, each alone and freshly started, in as many rounds as the run has. */
export async function measureRates(
  { extent, sample, say }: BenchRun,
  contestants: readonly Contestant[],
  operations: readonly OperationName[],
  load: Load,
): Promise<Rates> {
  const series = new Map<string, number[]>();
  const failures = new Set<string>();

  const measureServer = async (contestant: Contestant, server: Server): Promise<void> => {
    for (const operation of operations) {
      const work = contestant.works(sample)[operation];
      if (work === undefined) continue;
      const key = keyOf(contestant, operation);
      const { seconds } = extent;
      const rate = await requestsPerSecond(load, server.origin, work, seconds).catch((error) => {
        failures.add(`${contestant.name}, ${operation}: ${(error as Error).message}`);
      });
      if (rate !== undefined) series.set(key, [...(series.get(key) ?? []), rate]);
    }
  };

  for (let round = 1; round <= extent.rounds; round += 1) {
    for (const contestant of contestants) {
      say(`${operations.join(', ')}: round ${round} of ${extent.rounds}, ${contestant.name}`);
      const server = await startContestant(contestant, sample).catch((error: Error) => {
        failures.add(`${contestant.name}: ${error.message}`);
      });
      if (server === undefined) continue;
      await measureServer(contestant, server);
      await server.stop();
    }
  }
  return {
    of(contestant, operation) {
      const values = series.get(keyOf(contestant, operation));
      return values && median(values);
    },
    failures: [...failures],
  };
}

function keyOf(contestant: Contestant, operation: OperationName): string {
  return `${contestant.name} ${operation}`;
}
