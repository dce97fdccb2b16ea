import type { FailedRun, TrialKind, TrialResult } from './client-report.ts';
import { describeCutOff } from './client-verdict.ts';
import type { KnownBreaks } from './known-breaks.ts';
import type { TrialFinding, WhyUnsteady } from './outcomes.ts';
import { type EndedRun, isFailure } from './plan.ts';
import { nameOfTrials } from './trials.ts';

/** A finding, as reports show it. */
export function resultOf(
  finding: TrialFinding,
  known: KnownBreaks,
  describeRun: (run: EndedRun) => FailedRun,
): TrialResult {
  const { trials, outcome, run, cutOff } = finding;
  const [{ clause, argument }] = trials;
  const name = nameOfTrials(trials);
  const reason = known.get(name);
  const message = messages[outcome](finding);
  return {
    name,
    kind: kindOf(trials),
    outcome,
    statement: trials.map(({ statement }) => statement).join(' '),
    ...(trials.length === 1 && clause !== undefined && { clause }),
    ...(trials.length === 1 && argument !== undefined && { argument }),
    ...(message !== undefined && { message }),
    changed: trials.reduce((sum, one) => sum + (run?.changed[one.name] ?? 0), 0),
    ...(cutOff !== undefined && { cutOff }),
    answered: Math.min(...trials.map((one) => run?.answered[one.name] ?? 0)),
    ...(reason !== undefined && { known: reason }),
    ...(run !== undefined && isFailure(run) && { evidence: describeRun(run) }),
  };
}

function kindOf(trials: TrialFinding['trials']): TrialKind {
  const [{ dialect, combined, isApart }] = trials;
  if (trials.length > 1 || combined !== undefined) return 'combination';
  if (dialect !== undefined) return 'dialect';
  return isApart ? 'apart' : 'variant';
}

/** Why an app has not survived, and what to do. */
const messages: Readonly<
  Record<TrialFinding['outcome'], (finding: TrialFinding) => string | undefined>
> = {
  survived: () => undefined,
  broken: describeBreak,
  unsteady: describeUnsteady,
  unconfirmed: ({ trials }) =>
    `With ${nameOfTrials(trials)}, the tests failed, and there was no second run to confirm it.`,
  'not-met': describeUnmet,
  'not-tried': ({ cutOff }) =>
    cutOff === undefined ? 'There was no time for it.' : `The budget ${describeCutOff(cutOff)}.`,
};

/** What the tests did after they had failed. */
const wordsOfUnsteady: Readonly<Record<WhyUnsteady, string>> = {
  'passed-again': 'passed when they were run again',
  'control-failed': 'failed with the plain mock as well',
};

function describeUnsteady({ trials, whyUnsteady = 'passed-again' }: TrialFinding): string {
  return `With ${nameOfTrials(trials)}, the tests failed, and then they ${wordsOfUnsteady[whyUnsteady]}: they are unsteady. Make them pass every time, and run this again.`;
}

function describeUnmet({ trials: [{ name, metBy, dialect }], run }: TrialFinding): string {
  if ((run?.answered[name] ?? 0) > 0) return `A test would have to ${metBy}.`;
  const variable = dialect === undefined ? 'LIVESTREAM_VARIANT' : 'LIVESTREAM_DIALECT_URL';
  return `No request came to a mock that behaved like this. Let the tests use the address in LIVESTREAM_BASE_URL, or let their own mocks follow ${variable} and LIVESTREAM_EVIDENCE_URL.`;
}

function describeBreak({ trials, untried = [], isSmallest }: TrialFinding): string {
  const twice = `With ${nameOfTrials(trials)}, the tests failed twice, and passed with the plain mock in between.`;
  const [{ ofTest }] = trials;
  if (trials.length === 1) return ofTest === undefined ? twice : `${twice} ${ofTest}`;
  if (isSmallest) {
    return `${twice} They passed without any one of these variants, so it takes them together to break the app.`;
  }
  if (untried.length === 0) {
    return `${twice} They passed with each of these variants alone, so two or more of them break the app together.`;
  }
  return `${twice} At least one of these variants breaks the app; there was no time to try these alone: ${untried.map(({ name }) => name).join(', ')}.`;
}
