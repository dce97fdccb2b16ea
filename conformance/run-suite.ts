import { version } from '../package.json' with { type: 'json' };
import { cleanUp } from '../target/clean-up.ts';
import { type AccessOptions, openConnection } from '../target/connection.ts';
import { inParallel, whenAborted } from '../target/requests/scheduling.ts';
import { readCount } from '../target/requests/target.ts';
import { whyUnjudgeable } from '../target/unjudgeable.ts';
import { redact } from '../text/redact.ts';
import type { Report } from './model/report.ts';
import { type Deviations, noDeviations } from './run/deviations.ts';
import { examine } from './run/examine.ts';
import { type Scope, selectRequirements } from './run/selection.ts';
import { judge } from './run/verdict.ts';
import { createSharedSessions } from './sessions/shared-sessions.ts';

/** What a run judges, and how. Only `baseUrl` and `apiKey` are required. */
export interface RunOptions extends AccessOptions, Scope {
  deviations?: Deviations;
  /** How many checks run at once; default 8. */
  concurrency?: number;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Called when a check has ended. */
  onProgress?: (done: number, total: number, id: string) => void;
}

/**
 * Judges a target and reports. It resolves whatever the target does.
 * @throws TypeError with a one-sentence message for invalid options.
 */
export async function run(options: RunOptions): Promise<Report> {
  const { now = Date.now, deviations = noDeviations, areas, only } = options;
  const { onProgress, onInternalError } = options;
  const concurrency = readCount('concurrency', options.concurrency ?? 8, 1, 1_000);
  const selected = selectRequirements(options);
  const connection = openConnection(options);
  const { stopSignal, cleanUpTarget, provider, readOnly } = connection;
  const { baseUrl, secrets, pace } = cleanUpTarget;
  const startedAt = new Date(now()).toISOString();
  const start = performance.now();
  const ended = new AbortController();
  const interrupted = new Promise<undefined>((resolve) => {
    whenAborted(stopSignal, () => resolve(undefined), ended.signal);
  });
  const tried = Promise.race([interrupted, whyUnjudgeable(connection)]);
  const unjudgeable = await tried.catch((exception: unknown) => {
    if (onInternalError === undefined) throw exception;
    onInternalError(exception);
    return undefined;
  });

  const sessions = createSharedSessions(connection);
  const today = startedAt.slice(0, 10);
  const current = { ...connection, sessions, now, deviations, today, interrupted, unjudgeable };
  let done = 0;
  const results = await inParallel(selected, concurrency, async (requirement) => {
    const result = await examine(requirement, current);
    done += 1;
    onProgress?.(done, selected.length, requirement.id);
    return result;
  });
  const isOpen = results.some(
    ({ level, outcome }) => level === 'must' && ['error', 'blocked'].includes(outcome),
  );
  const stopped = isOpen && !stopSignal.aborted ? connection.describeEnd() : undefined;
  const leftBehind = await cleanUp(connection);
  ended.abort();
  cleanUpTarget.gate.throwRefused();

  const findings = {
    results,
    ...(areas && { areas: [...new Set(areas)] }),
    ...(only && { only: [...new Set(only)] }),
    ...(unjudgeable !== undefined && { unjudgeable: redact(unjudgeable, secrets) }),
    ...(stopSignal.aborted && { interrupted: true as const }),
    ...(stopped !== undefined && { stopped: redact(stopped, secrets) }),
  };
  return {
    format: 'livestream-mock/conformance-report',
    version: 1,
    suite: version,
    startedAt,
    target: redact(baseUrl, secrets),
    duration: Math.round(performance.now() - start),
    provider: provider.name,
    readOnly,
    ...findings,
    ...(pace.isLimited() && { waits: { times: pace.pauses(), duration: pace.paused() } }),
    ...judge(findings),
    leftBehind: redact(leftBehind, secrets),
    complete: true,
  };
}
