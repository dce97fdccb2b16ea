import type { UnableEffects } from '../faults/unable.ts';
import { createMock, type Mock, type MockOptions } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import { type DoorOptions, prefixOf, usualBaseUrl } from './address.ts';

/** What a test's mock is made from; every key may be left out. */
export interface StageOptions
  extends DoorOptions,
    Pick<MockOptions, 'world' | 'streams' | 'seed' | 'recordingDelay' | 'now' | 'faults'> {
  /** The only API key that is accepted; `test-demo` unless given. */
  apiKey?: string;
}

/** A mock for one test, and the world in it that the test steers. */
export interface Stage {
  readonly mock: Mock;
  readonly world: World;
  readonly baseUrl: string;
}

/** Makes the mock of one test; `unable` says which faults its door cannot do. */
export async function setStage(options: StageOptions, unable: UnableEffects = {}): Promise<Stage> {
  const { baseUrl = usualBaseUrl, apiKey = 'test-demo', ...settings } = options;
  const mock = createMock({ ...settings, unable, prefix: prefixOf(baseUrl), apiKeys: [apiKey] });
  return { mock, world: await mock.world(), baseUrl };
}
