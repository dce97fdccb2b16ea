import { expect, test } from 'vitest';
import type { Stream } from '../fixtures/types.ts';
import type { Report } from './report/report.ts';
import { type RunOptions, run } from './run.ts';
import { serveMock, serveProxy, type TestServer } from './servers.test-support.ts';

const apiKey = 'test-interrupt';

/** A run against a mock that is interrupted at its `requests`-th request. */
async function interruptAt(
  requests: number,
  intercept: Parameters<typeof serveProxy>[1] = () => undefined,
  options: Partial<RunOptions> = {},
): Promise<{ report: Report; proxy: TestServer; streams: () => Promise<readonly Stream[]> }> {
  const { mock } = await serveMock();
  const controller = new AbortController();
  const proxy = await serveProxy({ mock }, (request) => {
    if (proxy.received.length === requests) controller.abort();
    return intercept(request);
  });
  const { baseUrl, controlUrl } = proxy;
  const { signal } = controller;
  const provider = { controlUrl };
  const report = await run({ baseUrl, apiKey, provider, signal, ...options });
  const streams = async () => (await mock.world(apiKey)).streams();
  return { report, proxy, streams };
}

test('an interrupted run deletes what it made, and says that it was interrupted', async () => {
  const { report, proxy, streams } = await interruptAt(50);
  expect(report).toMatchObject({ interrupted: true, verdict: 'incomplete', leftBehind: [] });
  expect(report.reasons).toContain('the run was interrupted');
  expect(await streams()).toEqual([]);
  const writes = proxy.received.slice(60).filter(({ method }) => method !== 'DELETE');
  expect(writes).toEqual([]);
  expect(report.results.some(({ message = '' }) => message.includes('was interrupted'))).toBe(true);
});

test('an interrupted run is not conformant where a must had failed already', async () => {
  const controller = new AbortController();
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ method }) =>
    method === 'PATCH' ? new Response(null, { status: 200 }) : undefined,
  );
  const report = await run({
    baseUrl: proxy.baseUrl,
    apiKey,
    signal: controller.signal,
    onProgress: (_done, _total, id) => id === 'RECORD-1' && controller.abort(),
  });
  expect(report).toMatchObject({ interrupted: true, verdict: 'nonconformant' });
});

test('an interrupted run lists within five seconds what it cannot delete', async () => {
  const begin = performance.now();
  const { report, streams } = await interruptAt(30, ({ method }) =>
    method === 'DELETE' ? new Promise<never>(() => {}) : undefined,
  );
  expect(performance.now() - begin).toBeLessThan(9_000);
  const left = (await streams()).map(({ id }) => `stream ${id}`);
  expect(left.length).toBeGreaterThan(0);
  expect([...report.leftBehind].sort()).toEqual(left.sort());
});

test('a second interruption ends deleting at once, and what stays is listed', async () => {
  const hurry = new AbortController();
  const { report } = await interruptAt(
    30,
    ({ method }) => {
      if (method !== 'DELETE') return undefined;
      hurry.abort();
      return new Promise<never>(() => {});
    },
    { cleanUpSignal: hurry.signal },
  );
  expect(report.leftBehind.length).toBeGreaterThan(0);
  expect(report.duration).toBeLessThan(4_000);
});
