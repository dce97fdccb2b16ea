import { version } from '../package.json' with { type: 'json' };
import type { Report, Result } from './model/report.ts';
import { createProvider, type ProviderChoice } from './providers/choice.ts';
import { cleanUp } from './run/clean-up.ts';
import { type Deviations, noDeviations } from './run/deviations.ts';
import { examine } from './run/examine.ts';
import { inParallel } from './run/parallel.ts';
import { preflight } from './run/preflight.ts';
import { redact } from './run/redact.ts';
import { type Selection, select } from './run/selection.ts';
import { judge } from './run/verdict.ts';
import { createSharedSessions } from './sessions/shared-sessions.ts';
import { type Creations, createCaller, startCreations } from './target/creations.ts';
import { secretsOf } from './target/near-keys.ts';
import {
  readCount,
  readTarget,
  readWait,
  sendUntil,
  type TargetOptions,
} from './target/read-target.ts';

/** What a run judges, and how. Only `baseUrl` and `apiKey` are required. */
export interface RunOptions extends TargetOptions, Selection {
  /** Where recorded sessions come from; without one, checks that need them are blocked. */
  provider?: ProviderChoice;
  /** Sends no request that writes. The provider can then only be a given stream. */
  readOnly?: boolean;
  deviations?: Deviations;
  /** Milliseconds that a recording may take to become ready; default 120,000. */
  patience?: number;
  /** Milliseconds that a target may take to start; default 0. */
  waitFor?: number;
  /** Checks under way at once; default 8. */
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
  const settings = readSettings(options);
  const { now, stop, unstoppable, provider, readOnly } = settings;
  const startedAt = new Date(now()).toISOString();
  const start = performance.now();
  const creations = startCreations();
  const { unjudgeable, results } = await examineAll(settings, creations, startedAt.slice(0, 10));
  const leftBehind = await cleanUp(unstoppable, creations, { stop, hurry: options.cleanUpSignal });
  unstoppable.gate.throwRefused();

  const secrets = secretsOf(unstoppable.apiKey);
  const findings = {
    results,
    ...(options.areas && { areas: [...new Set(options.areas)] }),
    ...(options.only && { only: [...new Set(options.only)] }),
    ...(unjudgeable !== undefined && { unjudgeable: redact(unjudgeable, secrets) }),
    ...(stop.aborted && { interrupted: true as const }),
  };
  return {
    format: 'livestream-mock/conformance-report',
    version: 1,
    suite: version,
    startedAt,
    target: redact(unstoppable.baseUrl, secrets),
    duration: Math.round(performance.now() - start),
    provider: provider.name,
    readOnly,
    ...findings,
    ...judge(findings),
    leftBehind: redact(leftBehind, secrets),
    complete: true,
  };
}

/** The options of a run, checked, with the target and the provider that they name. */
function readSettings(options: RunOptions) {
  const { now = Date.now, readOnly = false, deviations = noDeviations, onProgress } = options;
  const { onFault = throwIt } = options;
  const patience = readWait('patience', options.patience ?? 120_000, 1);
  const concurrency = readCount('concurrency', options.concurrency ?? 8, 1, 1_000);
  const waitFor = readWait('waitFor', options.waitFor ?? 0, 0);
  const selected = select(options);
  const stop = options.signal ?? new AbortController().signal;
  const unstoppable = readTarget(options);
  const target = sendUntil(stop, unstoppable);
  const limits = { patience, stop, readOnly, unstoppable };
  const provider = createProvider(target, options.provider, limits);
  return {
    now,
    readOnly,
    deviations,
    onProgress,
    onFault,
    patience,
    concurrency,
    waitFor,
    selected,
    stop,
    unstoppable,
    target,
    provider,
  };
}

/** Finds out whether the target can be judged, and examines the selected requirements. */
async function examineAll(
  settings: ReturnType<typeof readSettings>,
  creations: Creations,
  today: string,
): Promise<{ unjudgeable: string | undefined; results: Result[] }> {
  const { target, provider, patience, readOnly, now, stop, waitFor, selected, onFault } = settings;
  const sessionOptions = { target, provider, patience, creations, readOnly };
  const source = { ...sessionOptions, sessions: createSharedSessions(sessionOptions), now };
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const { baseUrl } = target;
  const call = createCaller(target, creations, () => {});
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  const unjudgeable = await Promise.race([
    stopped,
    preflight({ baseUrl, call, readOnly, givenStream, waitFor, stop }),
  ]).catch((error: unknown) => {
    onFault(error);
    return undefined;
  });
  const { deviations, concurrency, onProgress } = settings;
  const circumstances = { deviations, today, stop, stopped, unjudgeable };
  let done = 0;
  const results = await inParallel(selected, concurrency, async (requirement) => {
    const result = await examine(requirement, source, circumstances);
    done += 1;
    onProgress?.(done, selected.length, requirement.id);
    return result;
  });
  return { unjudgeable, results };
}

function throwIt(error: unknown): never {
  throw error;
}
