import { createRequire } from 'node:module';
import type { Work } from './work.ts';

const connections = 32;

/** What is used of autocannon, which has no types of its own. */
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

/** The responses a second to one request, over and over for so many seconds, once the server has warmed up. */
export async function warmRate(origin: string, work: Work, seconds: number): Promise<number> {
  await load(origin, work, seconds / 2);
  return load(origin, work, seconds);
}

/** A refusal costs less than the work, so one refusal is an error. */
async function load(origin: string, work: Work, duration: number): Promise<number> {
  // It is installed below `bench`, and only there.
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { path, status, ...sent } = work;
  const options = { url: origin + path, connections, duration, sampleInt: 100, ...sent };
  const { '2xx': accepted, non2xx, errors, ...result } = await autocannon(options);
  if (non2xx === 0 && errors === 0 && accepted > 0) return accepted / result.duration;
  throw new Error(
    `${work.method} ${path}: expected ${status} throughout, got ${accepted} responses of that kind, ${non2xx} others and ${errors} errors`,
  );
}
