import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { serve } from '../doors/node.ts';
import { createMock } from '../mock.ts';
import { type SocketPlan, socketPlans, statusesOf, talk } from './sockets.test-support.ts';

const mock = createMock({ world: 'demo' });
const bystander = await mock.world('test-bystander');
const untouched = bystander.exportState();
const server = await serve(mock);
const port = Number(new URL(server.origin).port);
afterAll(() => server.close());

const together = 25;
const batches = fc.array(socketPlans, { minLength: together, maxLength: together });

async function survives(plans: readonly SocketPlan[]): Promise<void> {
  const answers = await Promise.all(plans.map((plan) => talk(port, plan)));
  for (const answer of answers) {
    expect(statusesOf(answer).filter((status) => status >= 500)).toEqual([]);
    expect(answer).not.toContain('fault of livestream-mock');
  }
}

test('1,500 malformed connections get no answer that blames the server, and it goes on', async () => {
  await fc.assert(fc.asyncProperty(batches, survives), {
    seed: 20_260_101,
    numRuns: 1_500 / together,
  });
  const response = await fetch(`${server.baseUrl}/stream`, {
    headers: { authorization: 'Bearer test-fuzz' },
  });
  expect(response.status).toBe(200);
  expect(bystander.exportState()).toEqual(untouched);
});
