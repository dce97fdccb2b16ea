import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { createMock } from '../mock.ts';
import {
  fuzzKey,
  malformedPlans,
  type RequestPlan,
  toRequest,
  wellFormedPlans,
} from './fuzz.test-support.ts';
import { readErrors } from './request.test-support.ts';

const plans = fc.array(fc.oneof(malformedPlans, wellFormedPlans), { minLength: 40, maxLength: 40 });
const options = { world: 'demo', now: () => Date.UTC(2026, 0, 1) } as const;

function aboutOf({ method, url }: Request): string {
  return `${method} ${url}`.slice(0, 300);
}

/** Every request gets a response. A GET, and a request that is refused, change nothing. */
async function survives(requests: readonly RequestPlan[]): Promise<void> {
  const mock = createMock(options);
  const world = await mock.world(fuzzKey);
  let before = JSON.stringify(world.exportState());
  for (const plan of requests) {
    const request = toRequest(plan, world);
    const about = aboutOf(request);
    const response = await mock.fetch(request);
    const after = JSON.stringify(world.exportState());
    const isRefused = response.status >= 400;
    if (isRefused || /^(GET|HEAD|OPTIONS)$/.test(request.method)) {
      expect([about, after]).toEqual([about, before]);
    }
    before = after;
    expect([about, response.status]).toEqual([about, expect.toSatisfy((one) => one < 500)]);
    if (isRefused && request.method !== 'HEAD') await readErrors(response);
    else await response.body?.cancel();
  }
}

/** A dialect that says nothing changes nothing. */
async function agree(requests: readonly RequestPlan[]): Promise<void> {
  const usual = createMock(options);
  const other = createMock({ ...options, dialect: { dialect: 3 } });
  const world = await usual.world(fuzzKey);
  for (const plan of requests) {
    const request = toRequest(plan, world);
    const same = toRequest(plan, world);
    // With a dialect, only the paths of the interface are accepted.
    if (!new URL(request.url).pathname.startsWith('/api')) continue;
    const about = aboutOf(request);
    const shown = await seen(await other.fetch(same));
    expect([about, shown]).toEqual([about, await seen(await usual.fetch(request))]);
  }
}

/** What a client sees of a response, without the wording of a refusal. */
async function seen(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status >= 400) return response.status;
  return /^[{[]/.test(text) ? JSON.parse(text) : text;
}

test.each([
  ['gets a response, and changes nothing if it is refused', survives, byNight(250, 20)],
  ['is answered with a dialect that says nothing as without one', agree, byNight(40, 10)],
])('whatever a client sends %s', { timeout: 120_000 }, async (_, property, numRuns) => {
  const parameters = { seed: 20_260_101, numRuns, endOnFailure: true };
  await fc.assert(fc.asyncProperty(plans, property), parameters);
});
