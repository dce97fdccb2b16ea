import { groupBy } from '../model/group-by.ts';
import { isViolation, type Report, type Result, type Verdict } from '../model/report.ts';

/** What the verdict is based on. */
type Findings = Pick<Report, 'results' | 'only' | 'unjudgeable' | 'interrupted' | 'stopped'>;

/** The grounds of the verdict of a run. */
export function groundsOf(findings: Findings) {
  const { results, only, interrupted, stopped } = findings;
  const musts = results.filter(({ level }) => level === 'must');
  const exceptions = results.filter(isExcepted);
  const judged = only === undefined ? musts : results;
  return {
    /** Binding requirements that the target does not satisfy. */
    failed: musts.filter((result) => result.outcome === 'fail' && !exceptions.includes(result)),
    /** Binding requirements that were not tested. */
    open: musts.filter(({ outcome }) => ['blocked', 'untested', 'error'].includes(outcome)),
    /** Requirements that no run can test. They do not make a run incomplete. */
    untestable: results.filter(({ outcome }) => outcome === 'untestable'),
    /** Binding requirements that the owner listed: known failures, and requirements that do not apply. */
    exceptions,
    /** Other reasons why the verdict is not `conformant`: one sentence each. */
    remarks: [
      ...(stopped === undefined ? [] : [`the target stopped responding: ${stopped}`]),
      ...results
        .filter(({ outcome, deviation }) => outcome === 'pass' && deviation !== undefined)
        .map(
          ({ id }) =>
            `${id}: a deviation is listed, but the target satisfies the requirement; remove the entry`,
        ),
      ...(judged.some((result) => isViolation(result) || ['pass', 'noted'].includes(result.outcome))
        ? []
        : ['no requirement was tested']),
      ...(interrupted ? ['the run was interrupted'] : []),
    ],
  };
}

/** The verdict of a run, from its results, its scope and how it ended. */
export function judge(findings: Findings): Pick<Report, 'verdict' | 'reasons'> {
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
 * The exit status of a run: 0 for conformant, with or without known deviations; 1 for nonconformant;
 * 2 for incomplete; 4 if the target could not be judged.
 */
export function exitStatus(report: Pick<Report, 'verdict' | 'unjudgeable'>): 0 | 1 | 2 | 4 {
  return report.unjudgeable === undefined ? exitStatuses[report.verdict] : 4;
}

const exitStatuses = {
  conformant: 0,
  'conformant-with-deviations': 0,
  nonconformant: 1,
  incomplete: 2,
} as const satisfies Record<Verdict, number>;

function isExcepted({ level, outcome, deviation }: Result): boolean {
  if (level !== 'must') return false;
  return outcome === 'inapplicable' || (outcome === 'fail' && deviation !== undefined);
}

/** The outcomes of requirements: one sentence for each cause. */
export function groupByMessage(results: readonly Result[]): string[] {
  const groups = groupBy(results, describeResult);
  return groups.map((group) => `${joinIds(group)} ${describeResult(group[0])}`);
}

function describeResult({ outcome, deviation, message = '' }: Result): string {
  if (outcome === 'untestable') return `cannot be tested: ${message}`;
  if (outcome !== 'fail') return `${outcome}: ${message}`;
  const known = deviation === undefined ? '' : `, a known deviation (${deviation.reason})`;
  return `failed${known}: ${message}`;
}

/** The ids of results, in a list. */
export function joinIds(results: readonly { readonly id: string }[]): string {
  return results.map(({ id }) => id).join(', ');
}
