import { createRequire } from 'node:module';
import type { BenchRequest } from './measured-requests.ts';

const connections = 32;

/** The parts of autocannon that are used here. It has no types of its own. */
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}>;

/** Responses per second to one repeated request, measured for `seconds` once the server has warmed up. */
export async function warmRate(origin: string, request: BenchRequest, seconds: number) {
  await load(origin, request, seconds / 2);
  return load(origin, request, seconds);
}

/** A refusal costs less than what is measured, so a single one is an error. */
async function load(origin: string, request: BenchRequest, duration: number) {
  // It is installed only below `bench`.
  const autocannon: Autocannon = createRequire(import.meta.url)('autocannon');
  const { path, status, ...sent } = request;
  const options = { url: origin + path, connections, duration, sampleInt: 100, ...sent };
  const { '2xx': accepted, non2xx, errors, ...result } = await autocannon(options);
  if (non2xx === 0 && errors === 0 && accepted > 0) return accepted / result.duration;
  throw new Error(
    `${request.method} ${path}: expected only ${status}, got ${accepted} such responses, ${non2xx} others and ${errors} errors`,
  );
}

/** The middle value, or the lower of two; `NaN` without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
}

/** Measures each series `rounds` times, taking turns, so that a slow machine affects all alike; returns the medians. */
export async function interleaved<Name extends string>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<number>,
): Promise<Readonly<Record<Name, number>>> {
  const series = names.map((name) => [name, [] as number[]] as const);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, values] of series) values.push(await measure(name));
  }
  const medians = series.map(([name, values]) => [name, median(values)]);
  return Object.fromEntries(medians) as Readonly<Record<Name, number>>;
}
