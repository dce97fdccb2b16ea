import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../interface/operations.ts';
import { lastMoment } from '../../interface/schemas.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { createMock } from '../mock.ts';
import { parseState } from '../service/state-lines.ts';
import {
  fuzzKey,
  malformedPlans,
  type RequestPlan,
  toRequest,
  wellFormedPlans,
} from './fuzz.test-support.ts';
import { readErrors } from './request.test-support.ts';
import { type OperationName, operationNames, operations, pathOf } from './routes.ts';

const requests = byNight(10_000, 800);
const batch = 40;

const batches = fc.record({
  /** The fixed time, so that only requests change the state. */
  time: fc.constantFrom(Date.UTC(2026, 0, 1), 1_767_225_600_000.25, 0, 0.5, lastMoment),
  plans: fc.array(fc.oneof(malformedPlans, wellFormedPlans), {
    minLength: batch,
    maxLength: batch,
  }),
});

/** How often each operation succeeded. */
const successes = new Map<OperationName, number>();

const routes = operationNames.map((name) => {
  const path = pathOf(name, '/api').replaceAll(/\{\w+\}/g, '[^/]+');
  return { name, operation: operations[name], line: new RegExp(`^${path}/?$`) };
});

/** The response of an operation that succeeded has the status and the body of its row. */
async function readSuccess(request: Request, response: Response): Promise<void> {
  const { pathname } = new URL(request.url);
  const route = routes.find(
    ({ operation, line }) => operation.method === request.method && line.test(pathname),
  );
  if (route === undefined) {
    await response.body?.cancel();
    return;
  }
  const { name } = route;
  const operation: Operation = route.operation;
  successes.set(name, (successes.get(name) ?? 0) + 1);
  expect(response.status).toBe(operation.status);
  if (name === 'watchWorld') await response.body?.cancel();
  else if (operation.response === undefined) expect(await response.text()).toBe('');
  else if (operation.isState) operation.response.parse(await parseState(await response.text()));
  else operation.response.parse(await response.json());
}

/** Every response is one that the service may give; a refused request and a GET change nothing. */
async function survives({ time, plans }: { time: number; plans: RequestPlan[] }): Promise<void> {
  const mock = createMock({ world: 'demo', now: () => time });
  const world = await mock.world(fuzzKey);
  const bystander = await mock.world('test-bystander');
  const untouched = JSON.stringify(bystander.exportState());
  let before = JSON.stringify(world.exportState());
  for (const plan of plans) {
    const request = toRequest(plan, world);
    const response = await mock.fetch(request);
    const after = JSON.stringify(world.exportState());
    expect(response.status).toBeLessThan(500);
    const refused = response.status >= 400;
    if (refused || /^(GET|HEAD|OPTIONS)$/.test(request.method)) expect(after).toBe(before);
    if (request.method === 'HEAD') expect(await response.text()).toBe('');
    else if (refused) await readErrors(response);
    else await readSuccess(request, response);
    before = after;
  }
  expect(JSON.stringify(bystander.exportState())).toBe(untouched);
}

test(`each of ${requests} requests is answered, and those refused change nothing`, {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(batches, survives), {
    seed: 20_260_101,
    numRuns: requests / batch,
  });
  for (const { name } of routes) {
    expect([name, successes.get(name) ?? 0]).toEqual([
      name,
      expect.toSatisfy((n) => n >= requests / 500),
    ]);
  }
  const all = [...successes.values()].reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThan(requests / 3);
});
