import { type CheckSource, createCheckContext } from '../checks/check-context.ts';
import type { Need, Requirement, TestableRequirement } from '../checks/requirement.ts';
import type { Exchange, Outcome, Result } from '../model/report.ts';
import { Blocked, CheckFailure } from '../target/failure.ts';
import { secretsOf } from '../target/near-keys.ts';
import type { Deviations } from './deviations.ts';
import { redact } from './redact.ts';
import { withoutExpired } from './verdict.ts';

/** What decides, beside the target, what becomes of a requirement. */
export interface Ruling {
  readonly readOnly: boolean;
  readonly deviations: Deviations;
  /** Such as `2026-12-31`. */
  readonly today: string;
  /** Aborted where the run is to end before its time, and then `stopped` resolves. */
  readonly stop: AbortSignal;
  readonly stopped: Promise<void>;
  /** Why the target cannot be judged at all. */
  readonly unjudgeable: string | undefined;
}

/** How a requirement fared, and with what evidence. */
interface Ended {
  readonly outcome: Outcome;
  readonly message?: string;
  readonly evidence?: readonly Exchange[];
}

/** Finds out how a requirement fares. */
export async function examine(
  requirement: Requirement,
  source: CheckSource,
  ruling: Ruling,
): Promise<Result> {
  const begin = performance.now();
  const observations: string[] = [];
  const ended =
    rule(requirement, source, ruling) ??
    (await perform(requirement as TestableRequirement, source, observations, ruling.stopped));
  const { id, area, clause, level, statement, basis } = requirement;
  const deviation = ruling.deviations.known.get(id);
  const { outcome, message } = ended;
  const result: Result = {
    id,
    area,
    clause,
    level,
    statement,
    basis,
    outcome,
    ...shorten(
      redact(
        {
          ...(message !== undefined && { message: message.slice(0, 2 * longestText) }),
          observations,
          evidence: ended.evidence ?? [],
        },
        secretsOf(source.target.apiKey),
      ),
    ),
    ...(deviation && { deviation }),
    duration: Math.round(performance.now() - begin),
  };
  return withoutExpired(result, ruling.today);
}

/** What a parser says of a file may hold much of the file, and a body is as long as a target likes. */
const longestText = 2_000;

/** Cuts what the key has been replaced in: of a key that was cut, less would be found. */
function shorten<Told extends Pick<Result, 'message' | 'evidence'>>(told: Told): Told {
  return {
    ...told,
    ...(told.message !== undefined && { message: told.message.slice(0, longestText) }),
    evidence: told.evidence.map((exchange) =>
      exchange.body === undefined
        ? exchange
        : { ...exchange, body: exchange.body.slice(0, longestText) },
    ),
  };
}

/** What is clear before the check is begun. */
function rule(
  requirement: Requirement,
  { givenStream }: CheckSource,
  { readOnly, deviations, stop, unjudgeable }: Ruling,
): Ended | undefined {
  const inapplicable = deviations.inapplicable.get(requirement.id);
  if (inapplicable !== undefined) return { outcome: 'inapplicable', message: inapplicable };
  if ('untestable' in requirement) return { outcome: 'untested', message: requirement.untestable };
  if (unjudgeable !== undefined) return { outcome: 'blocked', message: unjudgeable };
  if (stop.aborted) return interrupted;
  const writes: readonly Need[] =
    givenStream === undefined ? ['writes', 'encoder', 'stream'] : ['writes', 'encoder'];
  if (readOnly && requirement.needs.some((need) => writes.includes(need))) {
    return { outcome: 'untested', message: 'it writes to the target, which --read-only rules out' };
  }
  return undefined;
}

const interrupted: Ended = {
  outcome: 'untested',
  message: 'the run was interrupted before its check had ended',
};

/** Runs a check until it ends, or until the run is to end. */
function perform(
  { check }: TestableRequirement,
  source: CheckSource,
  observations: string[],
  stopped: Promise<void>,
): Promise<Ended> {
  const exchanges: Exchange[] = [];
  const checked = async (): Promise<Ended> => {
    try {
      await check(createCheckContext(source, exchanges, observations));
      return { outcome: 'pass' };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { outcome: outcomeOf(error), message, evidence: evidenceOf(error, exchanges) };
    }
  };
  // What a check makes of requests that were not sent any more says nothing of the target.
  return Promise.race([stopped.then(() => interrupted), checked()]);
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof CheckFailure) return 'fail';
  return error instanceof Blocked ? 'blocked' : 'error';
}

/** What a failure names as its evidence; or else the last exchange, and those before it. */
function evidenceOf(error: unknown, exchanges: readonly Exchange[]): readonly Exchange[] {
  if (error instanceof CheckFailure && error.evidence.length > 0) return error.evidence;
  return [...exchanges.slice(-1), ...exchanges.slice(0, -1)];
}
