import { howMany } from '../../text/phrases.ts';
import { describeDuration } from '../report/wording.ts';
import type { ClientReport, ClientVerdict, TrialResult } from './client-report.ts';
import type { CutOff } from './outcomes.ts';

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
    ...results.filter(isUnsteady).map(({ name, message = name }) => message),
    ...describeHanging(results.filter(mayHang)),
    ...(interrupted ? ['The run was interrupted.'] : []),
    ...(interrupted || results.some(hasMetWhatCounts) ? [] : [whyNothingMet(results)]),
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

function isUnsteady({ kind, outcome }: TrialResult): boolean {
  return kind !== 'apart' && outcome === 'unsteady';
}

/** How many times as long as with the plain mock tests take before they seem to hang. */
const timesOfPlain = 3;

/** Whether the budget ended tests that took so long that they may hang. */
function mayHang({ kind, known, cutOff }: TrialResult): boolean {
  if (kind === 'apart' || known !== undefined || cutOff === undefined) return false;
  return cutOff.duration >= timesOfPlain * cutOff.plainDuration;
}

/** What the budget did, and the tests with the plain mock: the end of a sentence. */
export function describeCutOff({ duration, plainDuration }: CutOff): string {
  return `ended the tests after ${describeDuration(duration)}; with the plain mock they took ${describeDuration(plainDuration)}`;
}

/** One run was ended, which may have been with several trials. */
function describeHanging(results: readonly TrialResult[]): string[] {
  const [cutOff] = results.flatMap((result) => result.cutOff ?? []);
  if (cutOff === undefined) return [];
  const names = results.map(({ name }) => name).join('+');
  return [
    `With ${names}, the budget ${describeCutOff(cutOff)}. They may hang: give more time with --budget, or less to each run with --timeout.`,
  ];
}

function hasMetWhatCounts({ kind, outcome }: TrialResult): boolean {
  return kind !== 'apart' && outcome !== 'not-met' && outcome !== 'not-tried';
}

/** Why the tests have met no variant and no dialect, and what to do. */
function whyNothingMet(results: readonly TrialResult[]): string {
  const counting = results.filter(({ kind }) => kind !== 'apart');
  if (counting.length === 0) {
    return 'Nothing was tried that counts: what --only names is a service that most apps or their tests cannot survive.';
  }
  const unmet = counting.filter(({ outcome }) => outcome === 'not-met');
  const notTried = counting.length - unmet.length;
  if (unmet.length === 0) return 'No variant was tried: give more time with --budget.';
  const others = notTried === 0 ? '' : `, and ${howMany(notTried, 'was', 'were')} not tried`;
  const isUsed = unmet.some(({ answered }) => answered > 0);
  const shown = unmet.length === 1 ? 'it' : 'them';
  const why = isUsed
    ? `the tests do nothing that shows ${shown}`
    : `the tests do not use ${sourcesOf(unmet).join(' and ')}`;
  return `${describeNoChange(unmet)}${others}: ${why}.`;
}

function describeNoChange(unmet: readonly TrialResult[]): string {
  const [first, ...others] = unmet;
  if (first !== undefined && others.length === 0) return `${first.name} changed no response`;
  const kinds = [...new Set(unmet.map(({ kind }) => `${kind}s`))];
  return `None of the ${unmet.length} ${kinds.join(' and ')} changed a response`;
}

/** Where tests whose mock is their own find what they should have used. */
function sourcesOf(unmet: readonly TrialResult[]): string[] {
  const isDialect = ({ kind }: TrialResult): boolean => kind === 'dialect';
  return [
    ...(unmet.every(isDialect) ? [] : ['the variant that LIVESTREAM_VARIANT names']),
    ...(unmet.some(isDialect) ? ['the dialect at LIVESTREAM_DIALECT_URL'] : []),
  ];
}
