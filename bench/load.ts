import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { fetchWork, type Work } from './work.ts';

const connections = 32;

/** What is used of autocannon, which has no types of its own. */
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

/** Loads a server with one request, over and over for so many seconds; the responses a second. */
export type Load = (origin: string, work: Work, seconds: number) => Promise<number>;

/** The rate of a load, once the server has warmed up. */
export async function warmRate(
  load: Load,
  origin: string,
  work: Work,
  seconds: number,
): Promise<number> {
  await load(origin, work, seconds / 2);
  return load(origin, work, seconds);
}

/** A load by autocannon. A refusal costs less than the work, so one refusal is an error. */
export const loadRequests: Load = async (origin, work, duration) => {
  // It is installed below `bench`, and only there.
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { path, status, ...sent } = work;
  const options = { url: origin + path, connections, duration, sampleInt: 100, ...sent };
  const { '2xx': accepted, non2xx, errors, ...result } = await autocannon(options);
  if (non2xx === 0 && errors === 0 && accepted > 0) return accepted / result.duration;
  throw new Error(
    `${work.method} ${path}: expected ${status} throughout, got ${accepted} responses of that kind, ${non2xx} others and ${errors} errors`,
  );
};

/** A load of media. autocannon makes text of every body, which takes longer than sending it. */
export const loadMedia: Load = async (origin, work, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const begin = performance.now();
  let count = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < begin + 1000 * seconds; count += 1) {
      await fetchWork(origin, work, agent);
    }
  };
  await Promise.all(Array.from({ length: connections }, client)).finally(() => agent.destroy());
  return (1000 * count) / (performance.now() - begin);
};
