import type { Dialect } from '../../interface/dialect.ts';
import { createMock } from '../../mocks/mock.ts';
import { type Learned, type LearnOptions, learn } from './learn.ts';

/** Learns a mock in this process, whose clock moves only where something waits. */
export function learnMock(
  dialect?: Dialect,
  options: Partial<LearnOptions> = {},
): Promise<Learned> {
  let time = 1_800_000_000_000;
  const mock = createMock({ now: () => time, ...(dialect && { dialect }) });
  return learn({
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey: mock.apiKey,
    otherApiKey: 'test-other',
    provider: { controlUrl: 'http://mock.test/_mock' },
    send: mock.fetch,
    now: () => time,
    pause: async (milliseconds) => {
      time += milliseconds;
    },
    // Nobody needs the mock any more.
    cleanUpSignal: AbortSignal.abort(),
    ...options,
  });
}
