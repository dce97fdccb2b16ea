import { version } from '../package.json' with { type: 'json' };
import type { Report } from './model/report.ts';
import { cleanUp } from './run/clean-up.ts';
import { type Deviations, noDeviations } from './run/deviations.ts';
import { examine } from './run/examine.ts';
import { preflight } from './run/preflight.ts';
import { redact } from './run/redact.ts';
import { type Scope, selectRequirements } from './run/selection.ts';
import { judge } from './run/verdict.ts';
import { createProvider, type ProviderChoice } from './sessions/choice.ts';
import { createSharedSessions } from './sessions/shared-sessions.ts';
import { createCaller, startCreations } from './target/creations.ts';
import type { SendTo } from './target/exchange.ts';
import { secretsOf } from './target/near-keys.ts';
import { inParallel } from './target/pacing.ts';
import {
  readCount,
  readTarget,
  readWait,
  sendUntil,
  type Target,
  type TargetOptions,
} from './target/target.ts';

/** What a run judges, and how. Only `baseUrl` and `apiKey` are required. */
export interface RunOptions extends TargetOptions, Scope {
  /** Where recorded sessions come from; without a provider, checks that need them are blocked. */
  provider?: ProviderChoice;
  /** Sends no request that writes. The provider can then only be a given stream. */
  readOnly?: boolean;
  deviations?: Deviations;
  /** Milliseconds that a recording may take to become ready; default 120,000. */
  patience?: number;
  /** Milliseconds that a target may take to start; default 0. */
  waitFor?: number;
  /** How many checks run at once; default 8. */
  concurrency?: number;
  /** Ends the run early: no further check begins, and cleaning up takes at most 5 s. */
  signal?: AbortSignal;
  /** Ends cleaning up as well. */
  cleanUpSignal?: AbortSignal;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Called when a check has ended. */
  onProgress?: (done: number, total: number, id: string) => void;
}

/**
 * Judges a target and reports. It resolves whatever the target does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function run(options: RunOptions): Promise<Report> {
  const { now = Date.now, readOnly = false, deviations = noDeviations, onProgress } = options;
  const { onFault, areas, only, cleanUpSignal: hurry } = options;
  const patience = readWait('patience', options.patience ?? 120_000, 1);
  const concurrency = readCount('concurrency', options.concurrency ?? 8, 1, 1_000);
  const waitFor = readWait('waitFor', options.waitFor ?? 0, 0);
  const selected = selectRequirements(options);
  const stop = options.signal ?? new AbortController().signal;
  const { target: unstoppable, describeEnd } = watch(readTarget(options));
  const target = sendUntil(stop, unstoppable);
  const { baseUrl, apiKey } = target;
  const limits = { patience, stop, readOnly, unstoppable };
  const provider = createProvider(target, options.provider, limits);
  const startedAt = new Date(now()).toISOString();
  const start = performance.now();
  const creations = startCreations();
  const interrupted = new Promise<undefined>((resolve) => {
    stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });

  const call = createCaller(target, creations);
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  const tried = preflight({ baseUrl, call, readOnly, givenStream, waitFor, stop });
  const unjudgeable = await Promise.race([interrupted, tried]).catch((error: unknown) => {
    if (onFault === undefined) throw error;
    onFault(error);
    return undefined;
  });

  const sessionOptions = { target, provider, patience, creations, readOnly };
  const source = { ...sessionOptions, sessions: createSharedSessions(sessionOptions), now };
  const today = startedAt.slice(0, 10);
  const circumstances = { deviations, today, stop, interrupted, unjudgeable };
  let done = 0;
  const results = await inParallel(selected, concurrency, async (requirement) => {
    const result = await examine(requirement, source, circumstances);
    done += 1;
    onProgress?.(done, selected.length, requirement.id);
    return result;
  });
  const isOpen = results.some(
    ({ level, outcome }) => level === 'must' && ['error', 'blocked'].includes(outcome),
  );
  const stopped = isOpen && !stop.aborted ? describeEnd() : undefined;
  const leftBehind = await cleanUp(unstoppable, creations, { stop, hurry });
  unstoppable.gate.throwRefused();

  const secrets = secretsOf(apiKey);
  const findings = {
    results,
    ...(areas && { areas: [...new Set(areas)] }),
    ...(only && { only: [...new Set(only)] }),
    ...(unjudgeable !== undefined && { unjudgeable: redact(unjudgeable, secrets) }),
    ...(stop.aborted && { interrupted: true as const }),
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
    ...judge(findings),
    leftBehind: redact(leftBehind, secrets),
    complete: true,
  };
}

/** Watches a target. `describeEnd` names the last request that it answered, and the first one after that without an answer. */
function watch(target: Target) {
  let answered = '';
  let unanswered = '';
  const send: SendTo = async (url, init) => {
    if (!url.startsWith(`${target.baseUrl}/`)) return target.send(url, init);
    const line = `${init.method} ${url.slice(target.baseUrl.length)}`;
    try {
      const response = await target.send(url, init);
      answered = line;
      unanswered = '';
      return response;
    } catch (error) {
      unanswered ||= line;
      throw error;
    }
  };
  const describeEnd = (): string | undefined =>
    answered && unanswered
      ? `the last request that it answered was ${answered}, and the first that it did not answer was ${unanswered}`
      : undefined;
  return { target: { ...target, send }, describeEnd };
}
