import { setImmediate } from 'node:timers/promises';
import type { Dialect } from '../../interface/dialect.ts';
import { createMock } from '../../mocks/mock.ts';
import type { LearnOptions } from './ask-target.ts';

/** The keys that a mock to learn accepts, so that others are wrong. */
export const keys = ['test-learner', 'test-second'] as const;

/** What learns a mock in this process, whose clock moves only where something waits. */
export function mockToLearn(dialect: Omit<Dialect, 'dialect'> = {}): LearnOptions {
  let time = 1_800_000_000_000;
  const [apiKey, otherApiKey] = keys;
  const mock = createMock({ now: () => time, dialect: { dialect: 2, ...dialect }, apiKeys: keys });
  return {
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey,
    otherApiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    // As any service, it leaves others their turn.
    async send(request) {
      await setImmediate();
      return mock.fetch(request);
    },
    now: () => time,
    pause: async (milliseconds) => {
      time += milliseconds;
    },
    // Nobody needs the mock any more.
    cleanUpSignal: AbortSignal.abort(),
  };
}

/** What learns a mock some of whose responses are other ones. */
export function withOther(
  options: LearnOptions,
  change: (request: Request, answer: () => Promise<Response>) => Promise<Response>,
): LearnOptions {
  const { send } = options;
  if (send === undefined) throw new Error('expected a mock in this process');
  return { ...options, send: (request) => change(request, () => send(request)) };
}
