import { groupBy } from './group-by.ts';
import type { Report, Result, Verdict } from './report/report.ts';
import { requirements } from './requirements.ts';

/** What a verdict follows from. */
type Findings = Pick<Report, 'results' | 'startedAt' | 'areas' | 'unjudgeable' | 'interrupted'>;

interface Judgement {
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, and what would complete it: a sentence for every cause. */
  readonly reasons: readonly string[];
}

/** What decides on a verdict. */
interface Grounds {
  /** Binding requirements that the target does not keep. */
  readonly failed: readonly Result[];
  /** Binding requirements that were not tested. */
  readonly open: readonly Result[];
  /**
   * Binding requirements that the target's owner excepts: failures that are known on the day of the
   * run, and requirements that do not apply.
   */
  readonly exceptions: readonly Result[];
  /** What else keeps a target from being conformant: a sentence each. */
  readonly remarks: readonly string[];
}

/** What decides on the verdict of a run. */
export function groundsOf({ results, startedAt, areas, interrupted }: Findings): Grounds {
  const today = startedAt.slice(0, 10);
  const musts = results.filter(({ id, level }) => level === 'must' && !untestable.has(id));
  const exceptions = results.filter((result) => isExcepted(result, today));
  const missing = countMissing(results, areas);
  return {
    failed: musts.filter((one) => one.outcome === 'fail' && !exceptions.includes(one)),
    open: musts.filter(({ outcome }) => ['blocked', 'untested', 'error'].includes(outcome)),
    exceptions,
    remarks: [
      ...results.filter((result) => isStale(result, today)).map(describeStale),
      ...(missing > 0 ? [`${missing} binding requirements were not selected`] : []),
      ...(musts.some(({ outcome }) => outcome === 'pass' || outcome === 'fail')
        ? []
        : ['no requirement was tested']),
      ...(interrupted ? ['the run was interrupted'] : []),
    ],
  };
}

/** What a run concludes: it follows from its results, its scope, the day, and how it ended. */
export function judge(findings: Findings): Judgement {
  const { unjudgeable } = findings;
  if (unjudgeable !== undefined) return { verdict: 'incomplete', reasons: [unjudgeable] };
  const { failed, open, exceptions, remarks } = groundsOf(findings);
  return {
    verdict: verdictOf(failed.length, open.length + remarks.length, exceptions.length),
    reasons: [
      ...groupByMessage(failed),
      ...groupByMessage(open),
      ...remarks,
      ...groupByMessage(exceptions),
    ],
  };
}

function verdictOf(failed: number, gaps: number, exceptions: number): Verdict {
  if (failed > 0) return 'nonconformant';
  if (gaps > 0) return 'incomplete';
  return exceptions > 0 ? 'conformant-with-deviations' : 'conformant';
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

function isExcepted(result: Result, today: string): boolean {
  if (result.level !== 'must') return false;
  return (
    result.outcome === 'inapplicable' || (result.outcome === 'fail' && isExpected(result, today))
  );
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

/** How requirements fared, a sentence for every cause. */
export function groupByMessage(results: readonly Result[]): string[] {
  const groups = groupBy(results, (one) => `${describeOutcome(one)}: ${one.message ?? ''}`);
  return groups.map((group) => {
    const ids = group.map(({ id }) => id).join(', ');
    return `${ids} ${describeOutcome(group[0])}: ${group[0].message ?? ''}`;
  });
}

function describeOutcome({ outcome, deviation }: Result): string {
  if (outcome !== 'fail') return outcome;
  return deviation === undefined ? 'failed' : `failed, a known deviation (${deviation.reason})`;
}
