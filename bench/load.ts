import { createRequire } from 'node:module';
import type { Work } from './work.ts';

const connections = 32;

/** The parts of autocannon that are used here. It has no types of its own. */
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

/** Responses per second to one repeated request, measured for `seconds` once the server has warmed up. */
export async function warmRate(origin: string, work: Work, seconds: number): Promise<number> {
  await load(origin, work, seconds / 2);
  return load(origin, work, seconds);
}

/** Refusing is cheaper than the work that is measured, so a single refusal is an error. */
async function load(origin: string, work: Work, duration: number): Promise<number> {
  // It is installed only below `bench`.
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { path, status, ...sent } = work;
  const options = { url: origin + path, connections, duration, sampleInt: 100, ...sent };
  const { '2xx': accepted, non2xx, errors, ...result } = await autocannon(options);
  if (non2xx === 0 && errors === 0 && accepted > 0) return accepted / result.duration;
  throw new Error(
    `${work.method} ${path}: expected only ${status}, got ${accepted} such responses, ${non2xx} others and ${errors} errors`,
  );
}
