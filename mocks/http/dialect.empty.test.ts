import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import {
  fuzzKey,
  malformedPlans,
  type RequestPlan,
  toRequest,
  wellFormedPlans,
} from './fuzz.test-support.ts';

// The bodies of a dialect are read by the table of fields, and without one by schemas: both say the same.

/** What a client sees of a response; how a refusal is worded may differ. */
async function seen(mock: Mock, request: Request): Promise<unknown> {
  const response = await mock.fetch(request);
  const text = await response.text();
  // Without a dialect the mock names what Livepeer has and it has not.
  if (response.status === 501) return 404;
  if (response.status >= 400) return response.status;
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
}

async function agree(plans: readonly RequestPlan[]): Promise<void> {
  const options = { world: 'demo', now: () => Date.UTC(2026, 0, 1) } as const;
  const usual = createMock(options);
  const other = createMock({ ...options, dialect: { dialect: 2 } });
  const world = await usual.world(fuzzKey);
  for (const plan of plans) {
    const one = toRequest(plan, world);
    const two = toRequest(plan, world);
    // Under a dialect only the paths of the interface are met.
    if (!new URL(one.url).pathname.startsWith('/api')) continue;
    const about = JSON.stringify(plan).slice(0, 300);
    expect([about, await seen(other, two)]).toEqual([about, await seen(usual, one)]);
  }
}

test('a dialect that says nothing changes nothing, whatever a client sends', async () => {
  const plans = fc.array(fc.oneof(malformedPlans, wellFormedPlans), {
    minLength: 40,
    maxLength: 40,
  });
  await fc.assert(fc.asyncProperty(plans, agree), {
    seed: 20_260_101,
    numRuns: byNight(40, 10),
    endOnFailure: true,
  });
});
