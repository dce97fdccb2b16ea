import type { Evidence } from '../../target/requests/evidence.ts';
import { Blocked, CheckFailure } from '../../target/requests/failure.ts';
import { redact } from '../../text/redact.ts';
import { type CheckSource, createCheckContext } from '../checks/check-context.ts';
import type { Need, Requirement, TestableRequirement } from '../checks/requirement.ts';
import type { Outcome, Result } from '../model/report.ts';
import type { Level } from '../model/requirement-facts.ts';
import { type Deviations, withoutExpired } from './deviations.ts';

/** A run, with what decides the outcome of a requirement besides the target. */
interface CurrentRun extends CheckSource {
  readonly deviations: Deviations;
  /** Such as `2026-12-31`. */
  readonly today: string;
  /** Resolves if the run is to end early. */
  readonly interrupted: Promise<undefined>;
  /** Why the target cannot be judged at all. */
  readonly unjudgeable: string | undefined;
}

/** The outcome of a requirement, and its evidence. */
interface Conclusion {
  readonly outcome: Outcome;
  readonly message?: string;
  readonly evidence?: readonly Evidence[];
}

/** Checks one requirement. It always resolves, whatever the check does. */
export async function examine(requirement: Requirement, run: CurrentRun): Promise<Result> {
  const start = performance.now();
  const observations: string[] = [];
  const { outcome, message, evidence } =
    decideUnchecked(requirement, run) ??
    // Every requirement without a check has been decided above.
    (await check(requirement as TestableRequirement, run, observations));
  const { id, area, clause, level, statement, basis } = requirement;
  const deviation = run.deviations.known.get(id);
  const { secrets } = run.target;
  const result: Result = {
    id,
    area,
    clause,
    level,
    statement,
    basis,
    outcome,
    ...(message !== undefined && { message: redact(message, secrets).slice(0, longestText) }),
    observations: redact(observations, secrets),
    evidence: redact(evidence ?? [], secrets).map(({ body, element, ...exchange }) => ({
      ...exchange,
      ...(element !== undefined && { element: element.slice(0, longestText) }),
      ...(body !== undefined && { body: body.slice(0, longestText) }),
    })),
    ...(deviation && { deviation }),
    duration: Math.round(performance.now() - start),
  };
  return withoutExpired(result, run.today);
}

/**
 * Maximum length of a text in a report: the message of a parser may quote a whole file. Keys are replaced before
 * a text is cut, because half a key would not be found.
 */
const longestText = 2_000;

/** The outcome, if it is clear without running the check. */
function decideUnchecked(
  requirement: Requirement,
  { provider, readOnly, stopSignal, deviations, unjudgeable }: CurrentRun,
): Conclusion | undefined {
  const inapplicable = deviations.inapplicable.get(requirement.id);
  if (inapplicable !== undefined) return { outcome: 'inapplicable', message: inapplicable };
  if ('untestable' in requirement)
    return { outcome: 'untestable', message: requirement.untestable };
  if (unjudgeable !== undefined) return { outcome: 'blocked', message: unjudgeable };
  if (stopSignal.aborted) return interruptedConclusion;
  const writes: readonly Need[] =
    provider.name === 'given' ? ['writes', 'encoder'] : ['writes', 'encoder', 'stream'];
  if (readOnly && requirement.needs.some((need) => writes.includes(need))) {
    return { outcome: 'untested', message: 'it writes to the target, which --read-only rules out' };
  }
  return undefined;
}

const interruptedConclusion: Conclusion = {
  outcome: 'untested',
  message: 'the run was interrupted before its check ended',
};

/** Runs a check until it ends or the run is stopped. */
function check(
  requirement: TestableRequirement,
  run: CurrentRun,
  observations: string[],
): Promise<Conclusion> {
  const exchanges: Evidence[] = [];
  const checked = async (): Promise<Conclusion> => {
    try {
      await requirement.check(createCheckContext(run, exchanges, observations));
      return { outcome: requirement.level === 'observe' ? 'noted' : 'pass' };
    } catch (exception) {
      const message = exception instanceof Error ? exception.message : String(exception);
      return {
        outcome: outcomeOf(exception, requirement.level),
        message,
        evidence: evidenceOf(exception, exchanges),
      };
    }
  };
  // After an interruption all requests fail, so what the check concludes is ignored.
  return Promise.race([run.interrupted.then(() => interruptedConclusion), checked()]);
}

function outcomeOf(exception: unknown, level: Level): Outcome {
  if (exception instanceof CheckFailure) return violations[level];
  return exception instanceof Blocked ? 'blocked' : 'error';
}

/** How a violation counts. What is never judged cannot be violated: then there was just nothing to note. */
const violations = {
  must: 'fail',
  should: 'unmet',
  observe: 'error',
} as const satisfies Record<Level, Outcome>;

/** The evidence that a failure names; without any, the last exchange and then those before it. */
function evidenceOf(exception: unknown, exchanges: readonly Evidence[]): readonly Evidence[] {
  if (exception instanceof CheckFailure && exception.evidence.length > 0) return exception.evidence;
  return [...exchanges.slice(-1), ...exchanges.slice(0, -1)];
}
