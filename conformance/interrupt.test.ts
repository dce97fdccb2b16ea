import { expect, test } from 'vitest';
import type { Stream } from '../interface/types.ts';
import type { Report } from './model/report.ts';
import { type RunOptions, run } from './run.ts';
import { serveMock, serveProxy } from './servers.test-support.ts';

const apiKey = 'test-to-be-stopped';

interface Interrupted {
  readonly report: Report;
  /** Methods of the requests that were sent after the interruption. */
  readonly sentLate: readonly string[];
  /** Streams that are on the target after the run. */
  readonly streams: () => Promise<readonly Stream[]>;
  /** Milliseconds from the interruption to the report. */
  readonly sinceAbort: number;
}

/** A run against a mock that is interrupted at its `requests`-th request. */
async function interruptAt(
  requests: number,
  intercept: Parameters<typeof serveProxy>[1] = () => undefined,
  options: Partial<RunOptions> = {},
): Promise<Interrupted> {
  const { mock } = await serveMock();
  const controller = new AbortController();
  let abortedAt = 0;
  const proxy = await serveProxy({ mock }, (request) => {
    if (proxy.received.length === requests) {
      abortedAt = performance.now();
      controller.abort();
    }
    return intercept(request);
  });
  const { baseUrl, controlUrl } = proxy;
  const { signal } = controller;
  const provider = { controlUrl };
  const sentLate: string[] = [];
  const send = (request: Request): Promise<Response> => {
    if (signal.aborted) sentLate.push(request.method);
    return fetch(request);
  };
  const report = await run({ baseUrl, apiKey, provider, signal, send, ...options });
  const streams = async () => (await mock.world(apiKey)).streams();
  return { report, streams, sentLate, sinceAbort: performance.now() - abortedAt };
}

test('an interrupted run deletes what it made, and says that it was interrupted', async () => {
  const { report, streams, sentLate } = await interruptAt(50);
  expect(report).toMatchObject({ interrupted: true, verdict: 'incomplete', leftBehind: [] });
  expect(report.reasons).toContain('the run was interrupted');
  expect(await streams()).toEqual([]);
  expect(sentLate.filter((method) => !['DELETE', 'GET'].includes(method))).toEqual([]);
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
  const { report, streams, sinceAbort } = await interruptAt(30, ({ method }) =>
    method === 'DELETE' ? new Promise<never>(() => {}) : undefined,
  );
  expect(sinceAbort).toBeGreaterThan(4_900);
  expect(sinceAbort).toBeLessThan(6_000);
  const left = (await streams()).map(({ id }) => `stream ${id}`);
  expect(left.length).toBeGreaterThan(0);
  expect([...report.leftBehind].sort()).toEqual(left.sort());
});

test('an interrupted run deletes what was still being created', async () => {
  let beginDeleting = (): void => {};
  const deleting = new Promise<void>((resolve) => {
    beginDeleting = resolve;
  });
  let created = 0;
  const { report, streams } = await interruptAt(12, async ({ method }) => {
    if (method === 'DELETE') beginDeleting();
    created += Number(method === 'POST');
    // The first stream is created before any check begins, and is deleted first.
    if (method === 'POST' && created > 1) await deleting;
    return undefined;
  });
  expect(report).toMatchObject({ interrupted: true, leftBehind: [] });
  expect(await streams()).toEqual([]);
});

test('an interrupted run tells of streams that it does not know of', async () => {
  const hanging: Promise<never> = new Promise(() => {});
  let created = 0;
  const { report } = await interruptAt(12, ({ method }) => {
    created += Number(method === 'POST');
    return method === 'POST' && created > 1 ? hanging : undefined;
  });
  expect(new Set(report.leftBehind)).toEqual(
    new Set(['perhaps a stream whose creation was not answered before the run ended']),
  );
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
