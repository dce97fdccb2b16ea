import { howMany } from '../../text/phrases.ts';
import type { ClientReport, ClientVerdict, TrialResult } from './client-report.ts';

/** What the verdict is based on. */
type Findings = Pick<ClientReport, 'results' | 'unjudgeable' | 'interrupted'>;

/** The exit status, by the verdict. */
const exitStatuses = { survives: 0, breaks: 1, undecided: 2 } as const satisfies Record<
  ClientVerdict,
  number
>;

/** The exit status of a run that was not interrupted. */
export function clientExitStatus({ verdict }: Pick<ClientReport, 'verdict'>): 0 | 1 | 2 {
  return exitStatuses[verdict];
}

/** How many variants the tests met, and what became of the others. Those that are apart, and dialects, do not count. */
export function countVariants(results: readonly TrialResult[]) {
  const variants = results.filter(({ kind }) => kind === 'variant');
  const having = (...outcomes: readonly TrialResult['outcome'][]): number =>
    variants.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    survived: having('survived'),
    met: having('survived', 'broken', 'unsteady', 'unconfirmed'),
    notMet: having('not-met'),
    notTried: having('not-tried'),
  };
}

/** The verdict of a run, and why. */
export function judgeClient(findings: Findings): Pick<ClientReport, 'verdict' | 'reasons'> {
  const { results, unjudgeable, interrupted } = findings;
  if (unjudgeable !== undefined) return { verdict: 'undecided', reasons: [unjudgeable] };
  const broken = results.filter(({ outcome, kind, known }) => {
    return outcome === 'broken' && kind !== 'apart' && known === undefined;
  });
  const gone = results.filter(
    ({ outcome, known }) => outcome === 'survived' && known !== undefined,
  );
  const open = [
    ...results.filter(({ outcome }) => outcome === 'unsteady').map(describeUnsteady),
    ...(interrupted ? ['The run was interrupted.'] : []),
    ...(countVariants(results).met === 0 && !hasMetDialect(results)
      ? [whyNothingMet(results)]
      : []),
  ];
  const failures = [
    ...broken.map(({ name, statement }) => `${name} breaks the app: ${statement}`),
    ...gone.map(
      ({ name }) =>
        `${name} is listed as known to break the app, but no longer does; remove the entry`,
    ),
  ];
  if (failures.length > 0) return { verdict: 'breaks', reasons: [...failures, ...open] };
  return { verdict: open.length > 0 ? 'undecided' : 'survives', reasons: open };
}

function describeUnsteady({ name }: TrialResult): string {
  return `The tests are unsteady: with ${name}, they failed once and passed once, or they failed with the plain mock.`;
}

function hasMetDialect(results: readonly TrialResult[]): boolean {
  const unmet = ['not-met', 'not-tried'];
  return results.some(({ kind, outcome }) => kind === 'dialect' && !unmet.includes(outcome));
}

function whyNothingMet(results: readonly TrialResult[]): string {
  const { notMet, notTried } = countVariants(results);
  if (notMet === 0) return 'No variant was tried: give more time with --budget.';
  const others = notTried === 0 ? '' : `, and ${howMany(notTried, 'was', 'were')} not tried`;
  const isUsed = results.some(({ kind, answered }) => kind === 'variant' && answered > 0);
  const why = isUsed
    ? 'the tests do nothing that shows them'
    : 'the tests do not use the variant that LIVESTREAM_VARIANT names';
  return `None of ${howMany(notMet, 'variant')} changed a response${others}: ${why}.`;
}
