import type { Dialect } from '../../interface/dialect/dialect.ts';
import { describeUnmatched } from '../faults/effects.ts';
import type { UnableEffects } from '../faults/fault.ts';
import { createMock } from '../mock.ts';
import { type MockOptions, refuseUnknownOptions } from '../mock-options.ts';
import { testerOfHandle, type World } from '../service/testers/world-handle.ts';
import type { VariantText } from '../variants/families.ts';
import { type BaseUrlOptions, defaultBaseUrl, prefixOf } from './base-url.ts';
import { createReporter } from './report-evidence.ts';

/** The options of a test's mock. All are optional. */
export interface TestMockOptions
  extends BaseUrlOptions,
    Pick<
      MockOptions,
      'world' | 'streams' | 'seed' | 'dialect' | 'recordingDelay' | 'now' | 'variant' | 'faults'
    > {
  /** The only accepted API key; default `test-demo`. */
  apiKey?: string;
}

const optionNames = {
  baseUrl: true,
  apiKey: true,
  world: true,
  streams: true,
  seed: true,
  dialect: true,
  recordingDelay: true,
  now: true,
  variant: true,
  faults: true,
} as const satisfies Record<keyof TestMockOptions, true>;

/** A mock for one test, and the world in it that the test controls. */
export type TestMock = Awaited<ReturnType<typeof createTestMock>>;

/**
 * Makes the mock of one test. Unless its options say otherwise, it has the variant in `LIVESTREAM_VARIANT` and the dialect
 * at `LIVESTREAM_DIALECT_URL`; `report` sends what the test did to `LIVESTREAM_EVIDENCE_URL`, if that is set. `unable` says which effects of faults the integration cannot produce.
 * @throws TypeError for an unknown option, as `createMock` does.
 */
export async function createTestMock(options: TestMockOptions, unable: UnableEffects = {}) {
  refuseUnknownOptions(options, optionNames);
  const { baseUrl = defaultBaseUrl, apiKey = 'test-demo', ...settings } = options;
  const { LIVESTREAM_VARIANT: variant = '', LIVESTREAM_EVIDENCE_URL: evidenceUrl = '' } =
    process.env;
  const { LIVESTREAM_DIALECT_URL: dialectUrl = '' } = process.env;
  const mock = createMock({
    ...(variant !== '' && { variant: variant as VariantText }),
    ...(dialectUrl !== '' && { dialect: await fetchDialect(dialectUrl) }),
    ...settings,
    unable,
    prefix: prefixOf(baseUrl),
    apiKeys: [apiKey],
  });
  const world = await mock.world();
  announceVariant(mock.variant);
  const report = evidenceUrl === '' ? async () => {} : createReporter(mock, evidenceUrl);
  // From now on, what a reset removes from the journal is reported, too.
  await report();
  return { mock, world, baseUrl, report };
}

/** Asks `check-client` for the dialect of a run. @throws Error if it does not answer */
async function fetchDialect(url: string): Promise<Dialect> {
  try {
    return await (await fetch(url)).json();
  } catch (exception) {
    throw new Error(
      `LIVESTREAM_DIALECT_URL: expected a dialect at ${url}, got ${(exception as Error).message}; is check-client still running?`,
    );
  }
}

/** The variants that this process has announced. */
const announced = new Set<string>();

/** Says once in each process that its tests do not run with a plain mock. */
function announceVariant(variant: string | undefined): void {
  if (variant === undefined || announced.has(variant)) return;
  announced.add(variant);
  process.stderr.write(`livestream-mock: the mock behaves like the variant ${variant}\n`);
}

/**
 * Fails a test at its end if a fault has matched nothing, because then what it was added for was not tested, and if
 * requests of it were refused. Of a test that has failed anyway, it also says which requests still wait on the clock, as
 * they may be why.
 * @throws Error with a line for each of these
 */
export function endTest(
  handle: World,
  hasFailed: boolean,
  refusals: ReadonlySet<string> = new Set(),
): void {
  const { clock } = testerOfHandle(handle).world;
  const waits = hasFailed ? new Set(clock.pending()) : [];
  const waitAdvice = clock.standsStill()
    ? 'advance the clock (mock.clock.advance), or give the mock a running one (now: Date.now)'
    : 'advance the clock (mock.clock.advance)';
  const lines = [...refusals, ...[...waits].map((wait) => `${wait}; ${waitAdvice}`)];
  const unmatched = handle.faults.filter(({ matched }) => matched === 0);
  if (unmatched.length > 0) {
    const unused = unmatched.map(describeUnmatched).join('; ');
    lines.push(`${unused}; if that is intended, end the test with mock.removeFaults()`);
  }
  if (lines.length > 0) throw new Error(lines.join('\n'));
}
