import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { expectAnswer } from './client.ts';
import type { Work } from './work.ts';

/** What is used of autocannon, which has no types of its own. */
type Autocannon = (options: {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly duration: number;
  readonly sampleInt: number;
}) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

const connections = 32;

/** Loads a server with one kind of request for so many seconds; how many of them it answers a second. */
export type Load = (origin: string, work: Work, seconds: number) => Promise<number>;

/**
 * Requests a second that a server answers, once it has warmed up for half as long.
 * @throws Error when an answer fails, as a refusal costs less than what was asked for.
 */
export async function requestsPerSecond(
  load: Load,
  origin: string,
  work: Work,
  seconds: number,
): Promise<number> {
  await load(origin, work, seconds / 2);
  const rate = await load(origin, work, seconds);
  if (rate > 0) return rate;
  throw new Error(`${work.method} ${work.path}: expected an answer within ${seconds} s, got none`);
}

/** A load of media. autocannon makes text of every body, which takes it longer than the server to send. */
export const loadMedia: Load = async (origin, work, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const begin = performance.now();
  const end = begin + 1000 * seconds;
  let answered = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; answered += 1) await expectAnswer(origin, work, agent);
  };
  await Promise.all(Array.from({ length: connections }, client)).finally(() => agent.destroy());
  return (1000 * answered) / (performance.now() - begin);
};

/** A load by autocannon. */
export const loadRequests: Load = async (origin, work, duration) => {
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { method, path, headers, body } = work;
  const result = await autocannon({
    url: origin + path,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections,
    duration,
    sampleInt: 100,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${method} ${path}: expected ${work.status} throughout, got ${result.non2xx} answers of another kind and ${result.errors} errors`,
    );
  }
  return result['2xx'] / result.duration;
};
