import type { Traffic } from './soak-actions.ts';
import { median } from './statistics.ts';

/** Fewest looks at the memory that say anything: two in each quarter. */
const fewestSamples = 8;
const mostGrowth = 1.1;
/** Most of the requests that faults may break; a run has about one in 25. */
const mostBroken = 0.1;

interface Growth {
  readonly second: number;
  readonly last: number;
  readonly ratio: number;
}

/** `undefined` where there are too few samples to say. */
function measureGrowth(samples: readonly number[]): Growth | undefined {
  if (samples.length < fewestSamples) return undefined;
  const quarter = Math.floor(samples.length / 4);
  const second = median(samples.slice(quarter, 2 * quarter));
  const last = median(samples.slice(samples.length - quarter));
  return { second, last, ratio: last / second };
}

/** How the memory has grown, in words. */
export function describeGrowth(samples: readonly number[]): string {
  const growth = measureGrowth(samples);
  if (growth === undefined) return 'not known';
  const { second, last, ratio } = growth;
  return `medians: ${second.toFixed(0)} in the second quarter, ${last.toFixed(0)} in the last, ${ratio.toFixed(2)} times`;
}

/** What is wrong with a run; nothing where its memory was flat and its server well. */
export function judgeSoak(
  samples: readonly number[],
  { answered, broken, statuses }: Pick<Traffic, 'answered' | 'broken' | 'statuses'>,
): string[] {
  const faults: string[] = [];
  const growth = measureGrowth(samples);
  if (growth === undefined) {
    faults.push(`expected at least ${fewestSamples} looks at the memory, got ${samples.length}`);
  } else if (!(growth.ratio <= mostGrowth)) {
    faults.push(`expected flat memory, at most ${mostGrowth} times, got ${growth.ratio}`);
  }
  const own = statuses.get(500) ?? 0;
  if (own > 0) faults.push(`expected no answer 500, got ${own}`);
  if (answered === 0) faults.push('expected answers, got none');
  const share = broken / (answered + broken);
  if (share > mostBroken) {
    faults.push(`expected at most ${mostBroken} of the requests broken, got ${share.toFixed(2)}`);
  }
  return faults;
}
