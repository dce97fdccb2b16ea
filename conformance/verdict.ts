import type { Report, Result, Verdict } from './report/report.ts';
import { requirements } from './requirements.ts';

/** What a verdict follows from. */
type Findings = Pick<Report, 'results' | 'startedAt' | 'areas' | 'unjudgeable' | 'interrupted'>;

interface Judgement {
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, and what would complete it: a sentence for every cause. */
  readonly reasons: readonly string[];
}

/** What a run concludes: it follows from its results, its scope, the day, and how it ended. */
export function judge({
  results,
  startedAt,
  areas,
  unjudgeable,
  interrupted,
}: Findings): Judgement {
  if (unjudgeable !== undefined) return { verdict: 'incomplete', reasons: [unjudgeable] };
  const today = startedAt.slice(0, 10);
  const musts = results.filter(({ id, level }) => level === 'must' && !untestable.has(id));
  const exceptions = exceptionsIn(results, today);
  const failed = musts.filter((one) => one.outcome === 'fail' && !exceptions.includes(one));
  const open = musts.filter(({ outcome }) => ['blocked', 'untested', 'error'].includes(outcome));
  const missing = countMissing(results, areas);
  const gaps = [
    ...groupByMessage(open),
    ...results.filter((result) => isStale(result, today)).map(describeStale),
    ...(missing > 0 ? [`${missing} binding requirements were not selected`] : []),
    ...(musts.some(({ outcome }) => outcome === 'pass' || outcome === 'fail')
      ? []
      : ['no requirement was tested']),
    ...(interrupted ? ['the run was interrupted'] : []),
  ];
  return {
    verdict: verdictOf(failed.length, gaps.length, exceptions.length),
    reasons: [...groupByMessage(failed), ...gaps, ...groupByMessage(exceptions)],
  };
}

function verdictOf(failed: number, gaps: number, exceptions: number): Verdict {
  if (failed > 0) return 'nonconformant';
  if (gaps > 0) return 'incomplete';
  return exceptions > 0 ? 'conformant-with-deviations' : 'conformant';
}

/**
 * The binding requirements that the target's owner excepts: failures that are known on the day of the
 * run, and requirements that do not apply.
 */
export function exceptionsIn(results: readonly Result[], today: string): Result[] {
  return results.filter(
    (result) =>
      result.level === 'must' &&
      (result.outcome === 'inapplicable' ||
        (result.outcome === 'fail' && isExpected(result, today))),
  );
}

/**
 * The exit status of a run: 0 conformant, also with known deviations; 1 nonconformant; 2 incomplete;
 * 4 the target could not be judged.
 */
export function exitStatus({ verdict, unjudgeable }: Report): 0 | 1 | 2 | 4 {
  return unjudgeable === undefined ? exitStatuses[verdict] : 4;
}

const exitStatuses = {
  conformant: 0,
  'conformant-with-deviations': 0,
  nonconformant: 1,
  incomplete: 2,
} as const satisfies Record<Verdict, number>;

/** Requirements that no run can test: they leave no run incomplete. */
const untestable: ReadonlySet<string> = new Set(
  requirements.flatMap((requirement) => ('untestable' in requirement ? [requirement.id] : [])),
);

/** A run of a part of what binds in its scope cannot conclude that the target keeps all of it. */
function countMissing(results: readonly Result[], areas: Report['areas']): number {
  const ran = new Set(results.map(({ id }) => id));
  return requirements.filter(
    ({ id, level, area }) =>
      level === 'must' && !ran.has(id) && (areas === undefined || areas.includes(area)),
  ).length;
}

function isExpected({ deviation }: Result, today: string): boolean {
  if (deviation === undefined) return false;
  return deviation.expires === undefined || today <= deviation.expires;
}

/** A deviation that no longer says what is: it has expired, or the requirement is kept. */
function isStale(result: Result, today: string): boolean {
  if (result.deviation === undefined) return false;
  return result.outcome === 'pass' || (result.outcome === 'fail' && !isExpected(result, today));
}

function describeStale({ id, outcome, deviation }: Result): string {
  return outcome === 'fail'
    ? `${id}: its deviation has expired on ${deviation?.expires}; mend the target, or renew the entry`
    : `${id}: a deviation is listed, but the check did not fail; remove the entry`;
}

/** What is the same for several requirements is said once. */
function groupByMessage(results: readonly Result[]): string[] {
  const groups = new Map<string, string[]>();
  for (const result of results) {
    const key = `${describeOutcome(result)}: ${result.message ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), result.id]);
  }
  return [...groups].map(([key, ids]) => `${ids.join(', ')} ${key}`);
}

function describeOutcome({ outcome, deviation }: Result): string {
  if (outcome !== 'fail') return outcome;
  return deviation === undefined ? 'failed' : `failed, a known deviation (${deviation.reason})`;
}
