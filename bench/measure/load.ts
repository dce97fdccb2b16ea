import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import type { BenchRun } from './run.ts';
import type { Server } from './processes.ts';
import { fetchWork, type Work } from './requests.ts';
import type { OperationName } from './sample.ts';
import { type MeasuredServer, startMeasured } from './servers.ts';
import { median } from './statistics.ts';

/** Loads a server with one kind of request for so many seconds; the responses per second. */
export type Load = (origin: string, work: Work, seconds: number) => Promise<number>;

/** Median responses per second. */
export interface Rates {
  /** Undefined where the server cannot do it. */
  of(server: MeasuredServer, operation: OperationName): number | undefined;
  /** Why a server is missing, or an operation of it. */
  readonly failures: readonly string[];
}

const connections = 32;

/** Loads servers in turn, each alone and freshly started, in as many rounds as the run has. */
export async function measureRates(
  { extent, sample, say }: BenchRun,
  servers: readonly MeasuredServer[],
  operations: readonly OperationName[],
  load: Load,
): Promise<Rates> {
  const series = new Map<string, number[]>();
  const failures = new Set<string>();

  const measure = async (server: MeasuredServer, { origin }: Server): Promise<void> => {
    for (const operation of operations) {
      const work = server.works(sample)[operation];
      if (work === undefined) continue;
      const key = `${server.name}, ${operation}`;
      try {
        const rate = await warmRate(load, origin, work, extent.seconds);
        series.set(key, [...(series.get(key) ?? []), rate]);
      } catch (error) {
        failures.add(`${key}: ${(error as Error).message}`);
      }
    }
  };

  for (let round = 1; round <= extent.rounds; round += 1) {
    for (const server of servers) {
      say(`${operations.join(', ')}: round ${round} of ${extent.rounds}, ${server.name}`);
      try {
        const started = await startMeasured(server, sample);
        await measure(server, started);
        await started.stop();
      } catch (error) {
        failures.add(`${server.name}: ${(error as Error).message}`);
      }
    }
  }
  return {
    of(server, operation) {
      const values = series.get(`${server.name}, ${operation}`);
      return values && median(values);
    },
    failures: [...failures],
  };
}

/** The rate, once the server has warmed up for half as long. @throws Error when a request fails */
async function warmRate(load: Load, origin: string, work: Work, seconds: number): Promise<number> {
  await load(origin, work, seconds / 2);
  const rate = await load(origin, work, seconds);
  if (rate > 0) return rate;
  throw new Error(`${work.method} ${work.path}: expected a response within ${seconds} s, got none`);
}

/** A load of media. autocannon makes text of every body, which takes longer than sending it. */
export const loadMedia: Load = async (origin, work, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const begin = performance.now();
  const end = begin + 1000 * seconds;
  let count = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; count += 1) await fetchWork(origin, work, agent);
  };
  await Promise.all(Array.from({ length: connections }, client)).finally(() => agent.destroy());
  return (1000 * count) / (performance.now() - begin);
};

/** What is used of autocannon, which has no types of its own. */
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

/** A load by autocannon. A refusal costs less than the work, so one refusal is an error. */
export const loadRequests: Load = async (origin, work, duration) => {
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { method, path, headers, body } = work;
  const result = await autocannon({
    ...{ url: origin + path, method, headers, connections, duration, sampleInt: 100 },
    ...(body !== undefined && { body }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${method} ${path}: expected ${work.status} throughout, got ${result.non2xx} other responses and ${result.errors} errors`,
    );
  }
  return result['2xx'] / result.duration;
};
