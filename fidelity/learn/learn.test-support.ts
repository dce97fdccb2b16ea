import type { Dialect } from '../../interface/dialect.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { createMock } from '../../mocks/mock.ts';
import type { LearnOptions } from './ask-target.ts';

/** What learns a mock in this process, whose clock moves only where something waits. */
export function mockToLearn(given: Pick<Dialect, 'rows' | 'breaks'> = { rows: {} }): LearnOptions {
  let time = 1_800_000_000_000;
  const dialect: Dialect = { format: 'livestream-mock/dialect', version: 1, ...given };
  const mock = createMock({ now: () => time, dialect });
  return {
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey: mock.apiKey,
    otherApiKey: 'test-second',
    provider: { controlUrl: 'http://mock.test/_mock' },
    send: mock.fetch,
    now: () => time,
    pause: async (milliseconds) => {
      time += milliseconds;
    },
    // Nobody needs the mock any more.
    cleanUpSignal: AbortSignal.abort(),
  };
}

/** What rows show where no record was seen beyond the first page. */
export const seenAtLeast: Partial<Behaviours> = {
  'list.page-size': { atLeast: 12 },
  'sessions.page-size': { atLeast: 6 },
};
