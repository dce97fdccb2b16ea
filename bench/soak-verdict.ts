import { median } from './statistics.ts';

/** What has come of the requests. */
export interface Traffic {
  readonly answered: number;
  /** Requests without a whole response. */
  readonly broken: number;
  /** How many responses had each status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Fewest looks at the memory that say anything: two in each quarter. */
const fewestSamples = 8;
const mostGrowth = 1.1;
/** Most of the requests that injected faults may break; a run has about one in 25. */
const mostBroken = 0.1;

/** Sums a run up, and says what is wrong with it: its memory, in megabytes, is to be flat. */
export function judgeSoak(
  samples: readonly number[],
  { answered, broken, statuses }: Traffic,
): { readonly report: string[]; readonly errors: string[] } {
  const isLong = samples.length >= fewestSamples;
  const quarter = Math.floor(samples.length / 4);
  const early = isLong ? median(samples.slice(quarter, 2 * quarter)) : Number.NaN;
  const late = isLong ? median(samples.slice(-quarter)) : Number.NaN;
  const growth = late / early;
  const share = broken / (answered + broken);
  const ownErrors = statuses['500'] ?? 0;
  const rules: readonly (readonly [isKept: boolean, expectation: string])[] = [
    [isLong, `expected at least ${fewestSamples} looks at the memory, got ${samples.length}`],
    [growth <= mostGrowth, `expected memory to grow ${mostGrowth} times at most, got ${growth}`],
    [ownErrors === 0, `expected no response 500, got ${ownErrors}`],
    [answered > 0, 'expected responses, got none'],
    [share <= mostBroken, `expected at most ${mostBroken} of the requests broken, got ${share}`],
  ];
  const errors = rules.filter(([isKept]) => !isKept).map(([, expectation]) => expectation);
  const report = [
    `${answered} requests answered, ${broken} broken, statuses ${JSON.stringify(statuses)}`,
    `memory in MB, medians: ${early.toFixed(0)} in the second quarter, ${late.toFixed(0)} in the last, ${growth.toFixed(2)} times`,
  ];
  return { report, errors };
}
