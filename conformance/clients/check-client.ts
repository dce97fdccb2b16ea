import type { Exchange } from '../../mocks/journal/exchange.ts';
import { type HttpArchive, toHttpArchive } from '../../mocks/journal/har.ts';
import { version } from '../../package.json' with { type: 'json' };
import { redact } from '../../text/redact.ts';
import type { ClientReport, FailedRun } from './client-report.ts';
import { judgeClient } from './client-verdict.ts';
import { type Group, groupTrials } from './grouping.ts';
import { type KnownBreaks, knownCombinations } from './known-breaks.ts';
import { findingsOf } from './outcomes.ts';
import { type EndedRun, isFailure, isPlain, nextRun, type PlannedRun, timeOf } from './plan.ts';
import { runTests, type TestsOptions } from './run-tests.ts';
import { tallySentRequests } from './sent-requests.ts';
import { resultOf } from './trial-results.ts';
import { nameOfTrials, type Trial } from './trials.ts';

/** What an app is tried with, and how. */
export interface ClientOptions extends TestsOptions {
  readonly trials: readonly Trial[];
  readonly known: KnownBreaks;
  /** Milliseconds that all runs may take together. */
  readonly budget?: number;
  /** API keys that no report may show. */
  readonly secrets: readonly string[];
  /** The line for a shell that runs the tests again with these trials only. */
  readonly lineFor: (names: readonly string[]) => string;
  /** The file for the requests of a failed run, if they are written. */
  readonly archiveFileFor?: (name: string) => string;
  /** Called before each run of the tests. */
  readonly onProgress?: (run: PlannedRun, runsBefore: number) => void;
}

/** The report, and the requests of each failed run by the file that it names. */
export interface CheckedClient {
  readonly report: ClientReport;
  readonly archives: ReadonlyMap<string, HttpArchive>;
}

/**
 * Runs the tests of an app with the plain mock, then with every legal variant, and reports.
 * @throws Error of Node's `listen`, with its `code`, if the mock cannot be served.
 */
export async function checkClient(options: ClientOptions): Promise<CheckedClient> {
  const { command, trials, known, secrets, signal } = options;
  const startedAt = new Date().toISOString();
  const start = performance.now();
  // What most apps do not survive, or this one is known not to, must not make a group fail.
  const tried = [...trials, ...knownCombinations(known, trials)];
  const groups = groupTrials(tried, ({ name, isApart }) => isApart || known.has(name));
  const sent = tallySentRequests();
  const runs = await runAll(options, groups, sent.add);
  const archives = new Map<string, HttpArchive>();
  const describeRun = (run: EndedRun): FailedRun => describeFailedRun(run, options, archives);
  const failedPlain = runs.find((run) => isPlain(run) && isFailure(run));
  const unjudgeable = whyUnjudgeable(runs);
  const findings = {
    ...(unjudgeable !== undefined && { unjudgeable }),
    ...(signal?.aborted && { interrupted: true as const }),
    results: findingsOf(groups, runs).map((finding) => resultOf(finding, known, describeRun)),
  };
  const report: ClientReport = {
    format: 'livestream-mock/client-report',
    version: 1,
    suite: version,
    tests: command,
    startedAt,
    duration: Math.round(performance.now() - start),
    runs: runs.length,
    ...findings,
    ...judgeClient(findings),
    ...(failedPlain && { plainFailure: describeRun(failedPlain) }),
    sent: sent.read(),
    complete: true,
  };
  return { report: redact(report, secrets), archives: redactValues(archives, secrets) };
}

/** Carries out the plan until its end, or until it is interrupted. A run that was interrupted proves nothing; one that the budget ended is kept, and says nothing but how long it took. */
async function runAll(
  options: ClientOptions,
  groups: readonly Group[],
  onExchange: (exchange: Exchange, isPlain: boolean) => void,
): Promise<EndedRun[]> {
  const { timeout, budget = Infinity, signal, onProgress } = options;
  const runs: EndedRun[] = [];
  while (!signal?.aborted) {
    const next = nextRun(groups, runs, budget);
    if (next === undefined || hasReachedNothing(runs)) break;
    onProgress?.(next, runs.length);
    // A service without what most apps need answers differently whatever an app sends.
    const isApart = next.trials.some((trial) => trial.isApart);
    // What has failed is confirmed in any case.
    const isBounded = next.purpose === 'plain' || next.purpose === 'try';
    const limit = isBounded ? Math.min(timeout, budget - timeOf(runs)) : timeout;
    const run = await runTests(next, { ...options, timeout: limit }, (exchange) => {
      if (!isApart) onExchange(exchange, isPlain(next));
    });
    if (signal?.aborted) break;
    const ended = limit < timeout && run.duration >= limit ? asCutOff(run) : run;
    runs.push(isFailure(ended) ? ended : { ...ended, exchanges: ended.exchanges.slice(0, 1) });
  }
  return runs;
}

/** The run as one that the budget ended, whatever its tests did in the end. */
function asCutOff({ failure: _, ...run }: EndedRun): EndedRun {
  return { ...run, isCutOff: true };
}

/** Whether tests have passed without a single request to the mock. */
function hasReachedNothing([first]: readonly EndedRun[]): boolean {
  return (
    first !== undefined && !isFailure(first) && !first.isCutOff && first.exchanges.length === 0
  );
}

/** Why nothing can be said about the variants, and what to do. */
function whyUnjudgeable(runs: readonly EndedRun[]): string | undefined {
  const [first, second] = runs;
  if (first?.failure !== undefined) {
    return `With the plain mock, the tests ${first.failure}. They have to pass with it before anything can be said about variants.`;
  }
  if (hasReachedNothing(runs)) {
    return 'The tests passed, but sent no request to the mock. Let them use the address in LIVESTREAM_BASE_URL, or the fixtures for Playwright or vitest.';
  }
  if (second?.failure !== undefined) {
    return `With the plain mock, the tests passed the first time, and ${second.failure} the second time: they are unsteady. Make them pass every time, and run this again.`;
  }
  return undefined;
}

/** Describes a run that failed, and keeps its requests. */
function describeFailedRun(
  run: EndedRun,
  { lineFor, archiveFileFor, world }: ClientOptions,
  archives: Map<string, HttpArchive>,
): FailedRun {
  const { failure = 'passed', output, exchanges, duration, trials } = run;
  const archive =
    exchanges.length === 0 ? undefined : archiveFileFor?.(nameOfTrials(trials) || 'plain');
  if (archive !== undefined) {
    const name = typeof world === 'string' ? world : 'exported';
    const beginning = { version: 1 as const, streams: [], sessions: [], arranged: [] };
    archives.set(archive, toHttpArchive(exchanges, { ...beginning, world: name }));
  }
  return {
    command: lineFor(trials.flatMap((trial) => trial.combined ?? [trial]).map(({ name }) => name)),
    failure,
    output,
    requests: exchanges.length,
    ...(archive !== undefined && { archive }),
    duration,
  };
}

function redactValues<Value>(
  values: ReadonlyMap<string, Value>,
  secrets: readonly string[],
): ReadonlyMap<string, Value> {
  return new Map([...values].map(([name, value]) => [name, redact(value, secrets)]));
}
