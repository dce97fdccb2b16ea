import { describeUnmatched } from '../faults/effects.ts';
import type { UnableEffects } from '../faults/fault.ts';
import { createMock } from '../mock.ts';
import { type MockOptions, refuseUnknownOptions } from '../mock-options.ts';
import type { World } from '../service/world-handle.ts';
import { type BaseUrlOptions, prefixOf, usualBaseUrl } from './address.ts';

/** What a test's mock is made from; every key may be left out. */
export interface TestMockOptions
  extends BaseUrlOptions,
    Pick<
      MockOptions,
      'world' | 'streams' | 'seed' | 'dialect' | 'recordingDelay' | 'now' | 'faults'
    > {
  /** The only API key that is accepted; `test-demo` unless given. */
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
  faults: true,
} as const satisfies Record<keyof TestMockOptions, true>;

/** A mock for one test, and the world in it that the test steers. */
export type TestMock = Awaited<ReturnType<typeof createTestMock>>;

/**
 * Makes the mock of one test; `unable` says which effects of faults the integration cannot produce.
 * @throws TypeError for an unknown option, as `createMock` does.
 */
export async function createTestMock(options: TestMockOptions, unable: UnableEffects = {}) {
  refuseUnknownOptions(options, optionNames);
  const { baseUrl = usualBaseUrl, apiKey = 'test-demo', ...settings } = options;
  const mock = createMock({ ...settings, unable, prefix: prefixOf(baseUrl), apiKeys: [apiKey] });
  return { mock, world: await mock.world(), baseUrl };
}

/**
 * Fails at the end of a test where a fault has matched nothing: what it was added for was not tested.
 * @throws Error which names every such fault.
 */
export function requireFaultsMatched({ faults }: Pick<World, 'faults'>): void {
  const unmatched = faults.filter(({ matched }) => matched === 0);
  if (unmatched.length === 0) return;
  throw new Error(
    `${unmatched.map(describeUnmatched).join('; ')}; where that is intended, end the test with mock.removeFaults()`,
  );
}
