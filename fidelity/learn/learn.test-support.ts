import { setImmediate } from 'node:timers/promises';
import type { BehaviourId } from '../../interface/dialect/behaviours.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { type Endpoint, errorsOf } from '../../interface/dialect/errors.ts';
import { testRequest } from '../../mocks/http/request.test-support.ts';
import { createMock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { standingClock } from '../clock.test-support.ts';
import { probeBehaviour } from './behaviours/probe-behaviours.ts';
import { probeCell } from './cells/probe-cells.ts';
import { combinationProbes } from './cells/probe-combinations.ts';
import { type LearnOptions, probeTarget } from './probe-target.ts';
import { createProber, type Observations, type Probe } from './probing/prober.ts';

/** The keys that a mock to learn accepts, so that others are wrong. */
export const keys = ['test-learner', 'test-second'] as const;

/** Options to learn a mock in this process, whose clock moves only if something waits. */
export function mockToLearn(
  dialect: Omit<Dialect, 'dialect'> = {},
  more: MockOptions = { apiKeys: keys },
): LearnOptions {
  const clock = standingClock();
  const [apiKey, otherApiKey] = keys;
  const mock = createMock({ now: clock.now, dialect: { dialect: 3, ...dialect }, ...more });
  return {
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey,
    otherApiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    // Like any service, it lets others take their turn.
    async send(request) {
      await setImmediate();
      return mock.fetch(request);
    },
    ...clock,
    // Nobody needs the mock any more.
    cleanUpSignal: AbortSignal.abort(),
  };
}

/** Asks a service only for some cells and behaviours, by their names in a dialect. */
export async function observeOnly(
  options: LearnOptions,
  ...names: readonly string[]
): Promise<Observations> {
  const { result } = await probeTarget(options, async (all) => {
    const prober = createProber(all);
    for (const name of names) await prober.observe({ name, probe: probeOf(name) });
    return prober.observed;
  });
  return result ?? new Map();
}

function probeOf(name: string): Probe<unknown> {
  const [, behaviour] = /^behaviours\.(.*)$/.exec(name) ?? [];
  if (behaviour !== undefined) return probeBehaviour(behaviour as BehaviourId);
  const combination = combinationProbes.find((probe) => probe.name === name);
  if (combination !== undefined) return combination.probe;
  const [, endpoint, id] = /^errors\.(\w+)\.(.*)$/.exec(name) ?? [];
  const error = errorsOf[endpoint as Endpoint].find((error) => error.id === id);
  if (error === undefined) throw new Error(`there is no ${name}`);
  return probeCell({ endpoint: endpoint as Endpoint, error });
}

/** Sends a request of a tester or of an app to a mock that is to be learned. */
export async function post(options: LearnOptions, path: string, body: object): Promise<Response> {
  const sent = { authorization: `Bearer ${options.apiKey}`, body: JSON.stringify(body) };
  const response = await options.send?.(testRequest(`POST ${path}`, sent));
  return response ?? Response.error();
}

/** Options to learn a mock with some responses changed. */
export function withOther(
  options: LearnOptions,
  change: (request: Request, answer: () => Promise<Response>) => Promise<Response>,
): LearnOptions {
  const { send } = options;
  if (send === undefined) throw new Error('expected a mock in this process');
  return { ...options, send: (request) => change(request, () => send(request)) };
}
