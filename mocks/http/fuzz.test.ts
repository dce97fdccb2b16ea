import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { fuzzKey, type RequestPlan, requestPlans } from './fuzz.test-support.ts';
import { readErrors } from './request.test-support.ts';

const batch = 25;

const demo = await createMock({ world: 'demo' }).world(fuzzKey);
const ids = {
  streams: demo.streams().map(({ id }) => id),
  sessions: demo.sessions().map(({ id }) => id),
  playbacks: demo.streams().map(({ playbackId }) => playbackId),
};

function toRequest({ method, target, headers, body }: RequestPlan): Request {
  return new Request(`http://livestream.test${target}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(!/^(get|head)$/i.test(method) && body.length > 0 && { body }),
  });
}

/** Every answer is one that the service may give; a refusal changes nothing. */
async function survives(plans: readonly RequestPlan[]): Promise<void> {
  const mock = createMock({ world: 'demo' });
  const world = await mock.world(fuzzKey);
  const bystander = await mock.world('test-bystander');
  const untouched = JSON.stringify(bystander.exportState());
  const state = () => JSON.stringify({ ...world.exportState(), now: 0 });
  let before = state();
  for (const plan of plans) {
    const response = await mock.fetch(toRequest(plan));
    const after = state();
    expect(response.status).toBeLessThan(500);
    if (response.status < 400) await response.body?.cancel();
    else {
      expect(after).toBe(before);
      if (plan.method !== 'HEAD') await readErrors(response);
    }
    before = after;
  }
  expect(JSON.stringify(bystander.exportState())).toBe(untouched);
}

const batches = fc.array(requestPlans(ids), { minLength: batch, maxLength: batch });

const runs = [{ seed: 20_260_101, requests: 10_000 }];
const ownSeed = process.env['FUZZ_SEED'];
if (ownSeed !== undefined) runs.push({ seed: Number(ownSeed), requests: 1_000 });

test.each(runs)(
  'each of $requests requests from seed $seed is answered, and those refused change nothing',
  async ({ seed, requests }) => {
    await fc.assert(fc.asyncProperty(batches, survives), { seed, numRuns: requests / batch });
  },
);
