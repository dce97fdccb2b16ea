import { version } from '../package.json' with { type: 'json' };
import { type Deviations, noDeviations } from './deviations.ts';
import type { Send } from './exchange.ts';
import { Blocked, CheckFailure } from './failure.ts';
import { createCaller, createLab, type LabSource, streamPath } from './lab.ts';
import { inParallel } from './parallel.ts';
import { createProvider, type ProviderChoice } from './providers/choice.ts';
import { redact } from './redact.ts';
import type { Exchange, Outcome, Report, Result } from './report/report.ts';
import {
  type Level,
  levels,
  type Need,
  type Requirement,
  type TestableRequirement,
} from './requirement.ts';
import { requirements } from './requirements.ts';
import { createStudio } from './studio.ts';
import { isPlainAddress, type Target } from './target.ts';
import { judge, judgeSelection } from './verdict.ts';

/** What a run judges, and how; all but the first two may be left out. */
export interface RunOptions {
  /** The service's base address, which includes the API path prefix. */
  baseUrl: string;
  /** Sent to the base address's origin alone, and shown nowhere. */
  apiKey: string;
  /** Where recorded sessions come from; nowhere unless given. */
  provider?: ProviderChoice;
  /** Sends no write. */
  readOnly?: boolean;
  /** The least binding level that is run; `observe`, and so all, unless given. */
  level?: Level;
  /** Only the requirements with these ids. */
  only?: readonly string[];
  deviations?: Deviations;
  /** Milliseconds in which an answer has to be complete; 10,000 unless given. */
  timeout?: number;
  /** Milliseconds that a recording may take to become ready; 120,000 unless given. */
  patience?: number;
  /** Checks under way at once; 8 unless given. */
  concurrency?: number;
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
  const patience = readCount('patience', options.patience ?? 120_000, longestWait);
  const concurrency = readCount('concurrency', options.concurrency ?? 8, 1_000);
  const date = new Date(now()).toISOString();
  const selected = select(options);
  const keyUse: KeyUse = { accepted: false, refusal: undefined };
  const target = readTarget(options, keyUse);
  const provider = createProvider(target, options.provider, patience);
  const created: string[] = [];
  const studio = createStudio(target, provider, patience, created);
  const source: LabSource = { target, studio, created, now };
  const begin = performance.now();

  let done = 0;
  const examined = await inParallel(selected, concurrency, async (requirement) => {
    const result = await examine(requirement, source, {
      readOnly,
      deviations,
      today: date.slice(0, 10),
    });
    done += 1;
    options.onProgress?.(done, selected.length, requirement.id);
    return result;
  });
  const results = examined.map((result) => withoutKey(result, keyUse));
  const given = provider.name === 'given' ? provider.streamId : undefined;
  const leftBehind = await cleanUp(
    target,
    created.filter((id) => id !== given),
  );
  return {
    format: 'livestream-mock/conformance-report',
    version: 1,
    suite: version,
    target: redact(target.baseUrl, target.apiKey),
    startedAt: date,
    duration: Math.round(performance.now() - begin),
    provider: provider.name,
    readOnly,
    ...judgeSelection(judge(results, date.slice(0, 10)), results),
    results,
    leftBehind: redact(leftBehind, target.apiKey),
    complete: true,
  };
}

function select({ level = 'observe', only }: RunOptions): Requirement[] {
  const unknown = only?.find((id) => !requirements.some((requirement) => requirement.id === id));
  if (unknown !== undefined) {
    throw new TypeError(`only: expected ids of requirements, got ${JSON.stringify(unknown)}`);
  }
  const selected = requirements.filter(
    (requirement) =>
      levels.indexOf(requirement.level) <= levels.indexOf(level) &&
      (only === undefined || only.includes(requirement.id)),
  );
  if (selected.length === 0) {
    throw new TypeError(`only: expected requirements of level ${level} or more binding, got none`);
  }
  return selected;
}

/** What the target made of the owner's key. */
interface KeyUse {
  accepted: boolean;
  /** The status of its last refusal. */
  refusal: 401 | 403 | undefined;
}

/** Where every request with the key was refused for it, nothing was learnt of the requirements. */
function withoutKey(result: Result, { accepted, refusal }: KeyUse): Result {
  if (accepted || refusal === undefined) return result;
  if (result.outcome !== 'pass' && result.outcome !== 'fail') return result;
  return {
    ...result,
    outcome: 'blocked',
    message: `the target refused the API key in every request, with status ${refusal}: check the key, and that it may use this base address`,
  };
}

/** Days of waiting overflow a timer. */
const longestWait = 24 * 3600 * 1000;

function readCount(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new TypeError(`${name}: expected a whole number from 1 to ${most}, got ${value}`);
}

function readTarget(options: RunOptions, keyUse: KeyUse): Target {
  const { baseUrl, apiKey, send = fetch } = options;
  const timeout = readCount('timeout', options.timeout ?? 10_000, longestWait);
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !isPlainAddress(url)) {
    throw new TypeError(
      'baseUrl: expected an http or https address without a user name, such as https://example.test/api',
    );
  }
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey: expected a key of visible ASCII characters');
  }
  return {
    baseUrl: url.href.replace(/[?#].*$/, '').replace(/\/+$/, ''),
    apiKey,
    timeout,
    async send(request) {
      const response = await send(request);
      if (request.headers.get('authorization') === `Bearer ${apiKey}`) {
        const { status } = response;
        if (status === 401 || status === 403) keyUse.refusal = status;
        else keyUse.accepted = true;
      }
      return response;
    },
  };
}

interface Ruling {
  readonly readOnly: boolean;
  readonly deviations: Deviations;
  /** Such as `2026-12-31`. */
  readonly today: string;
}

async function examine(
  requirement: Requirement,
  source: LabSource,
  { readOnly, deviations, today }: Ruling,
): Promise<Result> {
  const begin = performance.now();
  const exchanges: Exchange[] = [];
  const observations: string[] = [];
  const inapplicable = deviations.inapplicable.get(requirement.id);
  const ruled = rule(requirement, readOnly, inapplicable);
  const ended =
    ruled ?? (await perform(requirement as TestableRequirement, source, exchanges, observations));
  const { id, area, clause, level, statement, basis } = requirement;
  const known = deviations.known.get(id);
  const expired = ended.outcome === 'fail' && known !== undefined && known.expires < today;
  const message = expired
    ? `${ended.message}; its known deviation has expired on ${known.expires}`
    : ended.message;
  return {
    id,
    area,
    clause,
    level,
    statement,
    basis,
    outcome: ended.outcome,
    ...redact(
      {
        ...(message !== undefined && { message: message.slice(0, longestMessage) }),
        observations,
        evidence: ended.outcome === 'pass' ? [] : exchanges,
      },
      source.target.apiKey,
    ),
    ...(known && !expired && { deviation: known }),
    duration: Math.round(performance.now() - begin),
  };
}

/** What a parser says of a file may hold much of the file. */
const longestMessage = 2_000;

type Ended = Pick<Result, 'outcome' | 'message'>;

/** What is clear before the check is begun. */
function rule(
  requirement: Requirement,
  readOnly: boolean,
  inapplicable: string | undefined,
): Ended | undefined {
  if (inapplicable !== undefined) return { outcome: 'inapplicable', message: inapplicable };
  if ('untestable' in requirement) return { outcome: 'untested', message: requirement.untestable };
  const writes: readonly Need[] = ['writes', 'encoder'];
  if (readOnly && requirement.needs.some((need) => writes.includes(need))) {
    return { outcome: 'untested', message: 'it needs writing; run without --read-only' };
  }
  return undefined;
}

async function perform(
  { check }: TestableRequirement,
  source: LabSource,
  exchanges: Exchange[],
  observations: string[],
): Promise<Ended> {
  try {
    await check(createLab(source, exchanges, observations));
    return { outcome: 'pass' };
  } catch (error) {
    return {
      outcome: outcomeOf(error),
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof CheckFailure) return 'fail';
  return error instanceof Blocked ? 'blocked' : 'error';
}

/** Deletes what the suite created, where the target can; returns the ids of the rest. */
async function cleanUp(target: Target, created: readonly string[]): Promise<string[]> {
  const call = createCaller(target, [], () => {});
  const remove = async (id: string): Promise<boolean> => {
    const { status } = await call({ method: 'DELETE', path: streamPath(id) });
    return status >= 200 && status < 300;
  };
  const left = await inParallel([...new Set(created)], 8, async (id) =>
    (await remove(id).catch(() => false)) ? [] : [id.slice(0, longestMessage)],
  );
  return left.flat();
}
