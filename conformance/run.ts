import { optionError } from '../option-error.ts';
import { version } from '../package.json' with { type: 'json' };
import { type CheckSource, createCaller } from './checks/check-context.ts';
import type { Report, Result } from './model/report.ts';
import type { Area, Level } from './model/requirement.ts';
import { createProvider, type ProviderChoice } from './providers/choice.ts';
import { cleanUp } from './run/clean-up.ts';
import { type Deviations, noDeviations } from './run/deviations.ts';
import { examine } from './run/examine.ts';
import { inParallel } from './run/parallel.ts';
import { preflight } from './run/preflight.ts';
import { redact } from './run/redact.ts';
import { select } from './run/selection.ts';
import { judge } from './run/verdict.ts';
import { createSharedSessions } from './sessions/shared-sessions.ts';
import { createCreations } from './target/creations.ts';
import type { Send } from './target/exchange.ts';
import { secretsOf } from './target/near-keys.ts';
import { isPlainAddress, type Target } from './target/target.ts';

/** What a run judges, and how; all but the first two may be left out. */
export interface RunOptions {
  /** The service's base address, which includes the API path prefix. */
  baseUrl: string;
  /** Sent to the base address's origin alone, and shown nowhere. */
  apiKey: string;
  /** Where recorded sessions come from; nowhere unless given. */
  provider?: ProviderChoice;
  /** Sends no write. Only a stream that is given can then be a provider. */
  readOnly?: boolean;
  /** The least binding level that is run; `observe`, and so all, unless given. */
  level?: Level;
  /** Only these areas, which the verdict is then of; all unless given. */
  areas?: readonly Area[];
  /** Only the requirements with these ids. */
  only?: readonly string[];
  deviations?: Deviations;
  /** Milliseconds in which an answer has to be complete; 10,000 unless given. */
  timeout?: number;
  /** Milliseconds that a recording may take to become ready; 120,000 unless given. */
  patience?: number;
  /** Milliseconds in which a target that is starting may begin to answer; 0 unless given. */
  waitFor?: number;
  /** Checks under way at once; 8 unless given. */
  concurrency?: number;
  /** Ends the run early: no further check begins, what was made is deleted within 5 s. */
  signal?: AbortSignal;
  /** Ends deleting as well. */
  cleanUpSignal?: AbortSignal;
  /** Sends the requests; the platform's `fetch` unless given. */
  send?: Send;
  /** Milliseconds since 1970; `Date.now` unless given. */
  now?: () => number;
  /** Called when a check has ended. */
  onProgress?: (done: number, total: number, id: string) => void;
}

/**
 * Judges a target and reports. It resolves whatever the target does.
 * @throws TypeError, in one sentence, for options that cannot be followed.
 */
export async function run(options: RunOptions): Promise<Report> {
  const { now = Date.now, readOnly = false, deviations = noDeviations } = options;
  const patience = readCount('patience', options.patience ?? 120_000, 1, longestWait);
  const concurrency = readCount('concurrency', options.concurrency ?? 8, 1, 1_000);
  const waitFor = readCount('waitFor', options.waitFor ?? 0, 0, longestWait);
  const selected = select(options);
  const target = readTarget(options);
  const secrets = secretsOf(target.apiKey);
  const stop = options.signal ?? new AbortController().signal;
  const stoppable = sendUntil(stop, target);
  const provider = createProvider(stoppable, options.provider, { patience, stop });
  if (readOnly && provider.name !== 'none' && provider.name !== 'given') {
    throw optionError(
      TypeError,
      'readOnly',
      'expected a stream that is given as the one source of recorded sessions, got a way to go live, which writes',
    );
  }
  const startedAt = new Date(now()).toISOString();
  const begin = performance.now();
  const creations = createCreations();
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  const sessions = createSharedSessions({
    target: stoppable,
    provider,
    patience,
    creations,
    readOnly,
  });
  const source: CheckSource = { target: stoppable, sessions, creations, now, givenStream };
  const call = createCaller(stoppable, creations, () => {});
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const { baseUrl } = target;
  const unjudgeable = await Promise.race([
    stopped.then(() => undefined),
    preflight({ baseUrl, call, readOnly, givenStream, waitFor, stop }),
  ]);
  const today = startedAt.slice(0, 10);
  const ruling = { readOnly, deviations, today, stop, stopped, unjudgeable };
  let done = 0;
  const results = await inParallel(selected, concurrency, async (requirement): Promise<Result> => {
    const result = await examine(requirement, source, ruling);
    done += 1;
    options.onProgress?.(done, selected.length, requirement.id);
    return result;
  });
  const leftBehind = await cleanUp(target, creations, { stop, hurry: options.cleanUpSignal });
  const findings = {
    results,
    ...(options.areas && { areas: [...new Set(options.areas)] }),
    ...(unjudgeable !== undefined && { unjudgeable: redact(unjudgeable, secrets) }),
    ...(stop.aborted && { interrupted: true as const }),
  };
  return {
    format: 'livestream-mock/conformance-report',
    version: 1,
    suite: version,
    startedAt,
    target: redact(target.baseUrl, secrets),
    duration: Math.round(performance.now() - begin),
    provider: provider.name,
    readOnly,
    ...findings,
    ...judge(findings),
    leftBehind: redact(leftBehind, secrets),
    complete: true,
  };
}

/** Days of waiting overflow a timer. */
const longestWait = 24 * 3600 * 1000;

function readCount(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw optionError(
    TypeError,
    name,
    `expected a whole number from ${least} to ${most}, got ${value}`,
  );
}

function readTarget(options: RunOptions): Target {
  const { baseUrl, apiKey, send = fetch } = options;
  const timeout = readCount('timeout', options.timeout ?? 10_000, 1, longestWait);
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !isPlainAddress(url)) {
    throw optionError(
      TypeError,
      'baseUrl',
      'expected an http or https address without a user name, such as https://example.test/api',
    );
  }
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw optionError(TypeError, 'apiKey', 'expected a key of visible ASCII characters');
  }
  return { baseUrl: url.href.replace(/[?#].*$/, '').replace(/\/+$/, ''), apiKey, timeout, send };
}

/** A target that is sent nothing more once the run is to end. */
function sendUntil(stop: AbortSignal, target: Target): Target {
  return {
    ...target,
    send: (request) =>
      stop.aborted ? Promise.reject(new Error('the run was interrupted')) : target.send(request),
  };
}
