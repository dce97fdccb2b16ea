import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { startServer } from '../adapters/node/http-server.ts';
import { createMock } from '../mock.ts';
import { type SocketPlan, socketPlans, statusesOf, talk } from './sockets.test-support.ts';

const connections = byNight(1_500, 300);
const together = 25;
const batches = fc.array(socketPlans, { minLength: together, maxLength: together });

async function survives(port: number, plans: readonly SocketPlan[]): Promise<void> {
  const answers = await Promise.all(plans.map((plan) => talk(port, plan)));
  for (const answer of answers) {
    expect(statusesOf(answer).filter((status) => status >= 500)).toEqual([]);
    expect(answer).not.toContain('bug in livestream-mock');
  }
}

test.each([false, true])(
  `${connections} malformed connections get no answer that blames the server, and it goes on; it owns its process: %s`,
  async (ownsProcess) => {
    const mock = createMock({ world: 'demo' });
    const bystander = await mock.world('test-bystander');
    const untouched = bystander.exportState();
    const server = await startServer(mock, {
      port: 0,
      host: '127.0.0.1',
      controlOrigins: [],
      ownsProcess,
    });
    onTestFinished(() => server.close());
    const port = Number(new URL(server.origin).port);
    const property = fc.asyncProperty(batches, (plans) => survives(port, plans));
    await fc.assert(property, { seed: 20_260_101, numRuns: connections / together });
    const response = await fetch(`${server.baseUrl}/stream`, {
      headers: { authorization: 'Bearer test-fuzz' },
    });
    expect(response.status).toBe(200);
    expect(bystander.exportState()).toEqual(untouched);
  },
);
