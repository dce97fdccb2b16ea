import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { serveMock, serveProxy } from '../target/servers.test-support.ts';
import { run } from './run-suite.ts';

const apiKey = 'test-to-be-stopped';

type Intercept = Parameters<typeof serveProxy>[1];

/**
 * Interrupts a run against a mock at its `requests`-th request. Resolves to its report, to what remains on the
 * target, and to the methods of the requests that were sent after the interruption. With `twice`, it is
 * interrupted again once it deletes something.
 */
async function interruptAt(
  requests: number,
  intercept: Intercept = () => undefined,
  { twice = false } = {},
) {
  const { mock } = await serveMock();
  const controller = new AbortController();
  const cleanUpStop = new AbortController();
  const proxy = await serveProxy({ mock }, (request) => {
    if (proxy.received.length === requests) controller.abort();
    return intercept(request);
  });
  const { baseUrl, controlUrl } = proxy;
  const { signal } = controller;
  const sentLate: string[] = [];
  const send = (request: Request): Promise<Response> => {
    if (signal.aborted) sentLate.push(request.method);
    if (twice && sentLate.includes('DELETE')) cleanUpStop.abort();
    return fetch(request);
  };
  const cleanUpSignal = cleanUpStop.signal;
  const provider = { controlUrl };
  const report = await run({ baseUrl, apiKey, provider, signal, cleanUpSignal, send });
  return { report, streams: (await mock.world(apiKey)).streams(), sentLate };
}

test('an interrupted run deletes what it created, and says that it was interrupted', async () => {
  const { report, streams, sentLate } = await interruptAt(50);
  expect(report).toMatchObject({ interrupted: true, verdict: 'incomplete', leftBehind: [] });
  expect(report.reasons).toContain('the run was interrupted');
  expect(streams).toEqual([]);
  expect(sentLate.filter((method) => !['DELETE', 'GET'].includes(method))).toEqual([]);
  expect(report.results.some(({ message = '' }) => message.includes('was interrupted'))).toBe(true);
});

/** Holds back every creation of a stream except the first two, which are sent before any check begins. */
function holdBack(until: Promise<unknown>): Intercept {
  let created = 0;
  return async ({ method }) => {
    created += Number(method === 'POST');
    if (method === 'POST' && created > 2) await until;
    return undefined;
  };
}

test('an interrupted run deletes streams whose creation was still under way', async () => {
  let beginDeleting = (): void => {};
  const deleting = new Promise<void>((resolve) => {
    beginDeleting = resolve;
  });
  const hold = holdBack(deleting);
  // The stream that was created first is deleted first.
  const { report, streams } = await interruptAt(12, (request) => {
    if (request.method === 'DELETE') beginDeleting();
    return hold(request);
  });
  expect(report).toMatchObject({ interrupted: true, leftBehind: [] });
  expect(streams).toEqual([]);
});

test('an interrupted run lists creations that got no response', async () => {
  const never = new Promise(() => {});
  const { report } = await interruptAt(12, holdBack(never), { twice: true });
  const named =
    /^possibly a stream named "livestream-mock [^"]+": the run ended before the response/;
  expect(report.leftBehind).toContainEqual(expect.stringMatching(named));
});

test('a run that is interrupted before it begins sends nothing, and does not blame the target', async () => {
  const baseUrl = 'http://a.test';
  const send = vi.fn();
  const report = await run({ baseUrl, apiKey, send, signal: AbortSignal.abort() });
  expect(report).toMatchObject({ interrupted: true, verdict: 'incomplete', leftBehind: [] });
  expect(report).not.toHaveProperty('unjudgeable');
  expect(report.reasons).toContain('the run was interrupted');
  expect(send).not.toHaveBeenCalled();
});

test('a run that has ended no longer listens to its signals', async () => {
  const { baseUrl } = await serveMock();
  const { signal } = new AbortController();
  await run({ baseUrl, apiKey, only: ['CREATE-1'], signal, cleanUpSignal: signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
