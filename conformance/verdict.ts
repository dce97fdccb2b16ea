import type { Report, Result, Verdict } from './report/report.ts';
import { requirements } from './requirements.ts';

interface Judgement {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

/** What a run concludes, and why it is not conformant: a sentence for every cause. */
export function judge(results: readonly Result[], today: string): Judgement {
  const musts = results.filter(({ id, level }) => level === 'must' && !untestable.has(id));
  const failed = musts.filter(({ outcome }) => outcome === 'fail');
  const open = musts.filter(({ outcome }) => ['blocked', 'untested', 'error'].includes(outcome));
  const stale = results.filter((result) => isStale(result, today));
  const ran = musts.some(({ outcome }) => outcome === 'pass' || outcome === 'fail');
  const reasons = [
    ...failed.map(({ id, message }) => `${id} failed: ${message}`),
    ...groupByMessage(open),
    ...stale.map(({ id, outcome, deviation }) =>
      outcome === 'fail'
        ? `${id}: its deviation has expired on ${deviation?.expires}; mend the target, or renew the entry`
        : `${id}: a deviation is listed, but the check did not fail; remove the entry`,
    ),
    ...(ran ? [] : ['no requirement was tested']),
  ];
  if (failed.length > 0) return { verdict: 'nonconformant', reasons };
  return { verdict: reasons.length > 0 ? 'incomplete' : 'conformant', reasons };
}

/** A run of a part of what is binding cannot conclude that the target keeps all of it. */
export function judgeSelection(judged: Judgement, results: readonly Result[]): Judgement {
  const ran = new Set(results.map(({ id }) => id));
  const missing = requirements.filter(({ id, level }) => level === 'must' && !ran.has(id));
  if (missing.length === 0) return judged;
  return {
    verdict: judged.verdict === 'conformant' ? 'incomplete' : judged.verdict,
    reasons: [...judged.reasons, `${missing.length} binding requirements were not selected`],
  };
}

/**
 * The exit status of a run: 0 conformant, or nonconformant by known deviations alone; 1
 * nonconformant; 2 incomplete.
 */
export function exitStatus({ verdict, results, startedAt }: Report): 0 | 1 | 2 {
  if (verdict === 'conformant') return 0;
  if (verdict === 'incomplete') return 2;
  const today = startedAt.slice(0, 10);
  const forgiven = results.map((result): Result => {
    if (result.outcome !== 'fail' || !isExpected(result, today)) return result;
    const { deviation: _, ...rest } = result;
    return { ...rest, outcome: 'pass' };
  });
  return ({ conformant: 0, nonconformant: 1, incomplete: 2 } as const)[
    judge(forgiven, today).verdict
  ];
}

/** Requirements that no run can test: they leave no run incomplete. */
const untestable: ReadonlySet<string> = new Set(
  requirements.flatMap((requirement) => ('untestable' in requirement ? [requirement.id] : [])),
);

function isExpected({ deviation }: Result, today: string): boolean {
  return deviation !== undefined && today <= deviation.expires;
}

/** A deviation that no longer says what is: it has expired, or the requirement is kept. */
function isStale(result: Result, today: string): boolean {
  if (result.deviation === undefined) return false;
  return result.outcome === 'pass' || (result.outcome === 'fail' && !isExpected(result, today));
}

/** What completes a run is said once, not for every requirement that waits for it. */
function groupByMessage(results: readonly Result[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { id, outcome, message = '' } of results) {
    const key = `${outcome}: ${message}`;
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return [...groups].map(([key, ids]) => `${ids.join(', ')} ${key}`);
}
